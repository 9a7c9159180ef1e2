// Runs the check of all kernels in a WebAssembly module: node run.mjs MODULE SEED CASES.
import { readFileSync } from "node:fs";

const [file, seed, cases] = process.argv.slice(2);
const bytes = readFileSync(file);
const { check, message, message_length, memory } = new WebAssembly.Instance(
  new WebAssembly.Module(bytes),
).exports;

let failed;
try {
  failed = check(Number(seed), Number(cases)) !== 0;
} catch (trap) {
  console.log(`stopped: ${trap.message}`);
  failed = true;
}
console.log(new TextDecoder().decode(new Uint8Array(memory.buffer, message(), message_length())));
process.exit(failed ? 1 : 0);
