import type { Reporter, TestModule } from 'vitest/node';

/** Ends a run with the tests that needed a retry, with their first errors, and one line with the counts. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state, errors = [] } = test.result();
        if (state === 'passed' || state === 'failed') counts[state]++;
        else counts.skipped++;
        if (!test.diagnostic()?.flaky) continue;
        console.log(`Second try: ${module.relativeModuleId} > ${test.fullName}`);
        for (const { message, diff, stack } of errors) console.log(message, diff ?? '', stack ?? '');
      }
    }
    console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  }
}
