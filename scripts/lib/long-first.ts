import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that start processes or try thousands of examples run first: one that takes a minute and begins last keeps one
 * worker busy while the others are idle. A fresh clone has no durations to sort by.
 */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const order = ['process', 'examples', 'postgres']
    const rank = ({ project }: TestSpecification) => {
      const at = order.indexOf(project.name)
      return at < 0 ? `${order.length} ${project.name}` : String(at)
    }
    return sorted.sort((a, b) => (rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0))
  }
}
