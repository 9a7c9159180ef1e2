import { defineConfig, devices } from "@playwright/test";

const launchOptions = {
  executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
  // Chromium needs this if root runs it, as in a container.
  args: ["--no-sandbox", "--disable-dev-shm-usage"],
};

export default defineConfig({
  testDir: "tests",
  outputDir: "test-results",
  timeout: 60_000,
  // Test machines may be busy.
  expect: { timeout: 20_000 },
  // Tests wait half of their time. Those that measure time have wide bounds. The tests of a file share a worker.
  workers: 2,
  reporter: [["list"]],
  use: { baseURL: "http://localhost:4173", launchOptions },
  projects: [
    { name: "desktop", use: { ...devices["Desktop Chrome"], viewport: { width: 1280, height: 860 } } },
    {
      name: "phone",
      use: devices["Pixel 7"],
      testMatch: ["board.spec.ts", "looks.spec.ts", "player.spec.ts"],
      // What does not depend on the size of the screen.
      grepInvert: /@desktop/,
    },
  ],
  webServer: [
    { command: "npx vite preview --port 4173 --strictPort", url: "http://localhost:4173/", reuseExistingServer: false },
    {
      // Server without the headers for shared memory, like most servers.
      command: "npx vite preview --port 4174 --strictPort",
      url: "http://localhost:4174/",
      env: { OUTFLANK_NOT_ISOLATED: "1" },
      reuseExistingServer: false,
    },
  ],
});
