// Checks the types of the viewer. Exit code 77 (skipped) where its packages are missing.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const folder = new URL("..", import.meta.url).pathname;
const compiler = `${folder}node_modules/typescript/bin/tsc`;
if (!existsSync(compiler)) {
  console.log("SKIPPED: typescript is missing: npm ci failed when the program was built");
  process.exit(77);
}
process.exit(spawnSync(process.execPath, [compiler, "--noEmit"], { cwd: folder, stdio: "inherit" }).status ?? 1);
