import { defineConfig, devices } from "@playwright/test";

const launchOptions = {
  executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
  // Those who test in a container are root there.
  args: ["--no-sandbox", "--disable-dev-shm-usage"],
};

export default defineConfig({
  testDir: "tests",
  outputDir: "test-results",
  timeout: 60_000,
  // Machines that test are busy.
  expect: { timeout: 20_000 },
  // Half of the tests' time is waiting. What measures has wide bounds; a file's tests stay in one worker.
  workers: 2,
  reporter: [["list"]],
  use: { baseURL: "http://localhost:4173", launchOptions },
  projects: [
    { name: "desktop", use: { ...devices["Desktop Chrome"], viewport: { width: 1280, height: 860 } } },
    { name: "phone", use: devices["Pixel 7"], testMatch: ["board.spec.ts", "looks.spec.ts"] },
  ],
  webServer: [
    { command: "npx vite preview --port 4173 --strictPort", url: "http://localhost:4173/", reuseExistingServer: false },
    {
      // As most servers are: without the headers for shared memory.
      command: "npx vite preview --port 4174 --strictPort",
      url: "http://localhost:4174/",
      env: { OUTFLANK_NOT_ISOLATED: "1" },
      reuseExistingServer: false,
    },
  ],
});
