import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that start processes run first: one that takes a minute and begins last keeps one worker busy while the others
 * are idle. A fresh clone has no durations to sort by.
 */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rank = ({ project, moduleId }: TestSpecification) =>
      `${project.name} ${moduleId.includes('.slow.test.') ? 0 : 1}`
    return sorted.sort((a, b) => (rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0))
  }
}
