import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that start processes come first: begun last, one of a minute keeps a single worker busy while the others have
 * nothing left. A fresh clone has no durations to sort by.
 */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rank = ({ project, moduleId }: TestSpecification) =>
      `${project.name} ${moduleId.includes('.slow.test.') ? 0 : 1}`
    return sorted.sort((a, b) => (rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0))
  }
}
