// Writes the page: one HTML file with script and style in it.   node bundle.mjs OUTPUT
import { build } from "esbuild";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

const output = process.argv[2] ?? "page.html";
const result = await build({
  entryPoints: ["src/main.ts"],
  bundle: true,
  minify: true,
  charset: "utf8",
  format: "iife",
  target: "es2022",
  // The licences stand whole at the start of the page.
  legalComments: "none",
  outdir: "out",
  write: false,
  logLevel: "error",
});
const text = (ending) => result.outputFiles.find((file) => file.path.endsWith(ending)).text;

// A closing tag inside the script would end it: none may be there. $ has no meaning in a replacement function.
const script = text(".js").replaceAll("</script", "<\\/script");
// Two dashes would end the comment that they stand in.
const licences = ["three", "uplot"].map((name) => `${name}\n\n${readFileSync(`node_modules/${name}/LICENSE`, "utf8").trim().replaceAll("--", "- -")}`).join("\n\n");
const page = readFileSync("src/index.html", "utf8")
  .replace("<!--licences-->", () => `<!--\nParts of this page come from these packages:\n\n${licences}\n-->`)
  .replace("/*style*/", () => text(".css"))
  .replace("/*script*/", () => script);
mkdirSync(dirname(output), { recursive: true });
writeFileSync(output, page);
