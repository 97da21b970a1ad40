import type { Reporter, TestModule } from 'vitest/node';

/** Ends a run with the tests that needed a second try, by name, and one plain line that counts all. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed' || state === 'failed') counts[state]++;
        else counts.skipped++;
        if (test.diagnostic()?.flaky) console.log(`Second try: ${module.relativeModuleId} > ${test.fullName}`);
      }
    }
    console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  }
}
