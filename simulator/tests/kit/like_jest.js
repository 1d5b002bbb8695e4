// Run test files as Jest does: each in a realm of its own, where `test` and the hooks are global, and
// `jest` is an argument of each module.

const { readFileSync } = require("node:fs");
const { dirname, resolve } = require("node:path");
const vm = require("node:vm");

const FROM_NODE = { console, process, fetch, URLSearchParams };
const ARGUMENTS = ["module", "exports", "require", "__dirname", "__filename", "jest"];

function load(file, realm) {
  const module = { exports: {} };
  const folder = dirname(file);
  const required = (name) =>
    name.startsWith(".") ? load(resolve(folder, name), realm) : require(name);
  const body = vm.compileFunction(readFileSync(file, "utf8"), ARGUMENTS, {
    filename: file,
    parsingContext: realm,
  });
  body(module, module.exports, required, folder, file, {});
  return module.exports;
}

async function run(file) {
  const tests = [];
  const before = [];
  const after = [];
  const brought = {
    test: (name, body) => tests.push({ name, body }),
    beforeEach: (hook) => before.push(hook),
    afterEach: (hook) => after.push(hook),
  };
  load(file, vm.createContext({ ...FROM_NODE, ...brought }));
  if (!tests.length) throw new Error(`${file}: your test suite must contain at least one test`);
  for (const { name, body } of tests) {
    for (const each of [...before, body, ...after]) await each();
    console.log(`passed: ${name}`);
  }
}

async function main() {
  for (const file of process.argv.slice(2)) await run(resolve(file));
}

main();
