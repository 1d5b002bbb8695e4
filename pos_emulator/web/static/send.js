/* What the page asks of the terminal. */
const token = document.querySelector("meta[name=page-token]").content;
const problem = document.getElementById("problem");

export function complain(text) {
  problem.textContent = text;
  problem.hidden = !text;
}

/* Resolves to what the terminal answers, or to null after it has refused. */
export async function act(name, body = {}) {
  try {
    const answer = await fetch("/do/" + name, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Terminal-Page": token },
      body: JSON.stringify(body)
    });
    const said = await answer.json();
    complain(answer.ok ? "" : said.problem);
    return answer.ok ? said : null;
  } catch (error) {
    complain("The terminal does not answer. Is `sandgate terminal run` still running?");
    return null;
  }
}

export function make(tag, text = "", kind = "") {
  const made = document.createElement(tag);
  made.textContent = text;
  made.className = kind;
  return made;
}
