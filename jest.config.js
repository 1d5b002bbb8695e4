// For a clone of this repository: `sandgate run -- npx jest examples/jest`.

module.exports = { roots: ["<rootDir>/examples/jest"] };
