import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { statisticLabels } from '#contract/statistic-labels.ts'

const help = readFileSync('content/help/owners/statistics.md', 'utf8')

test.each(Object.values(statisticLabels).map(({ title, text }) => [title, text] as const))(
  'the help explains «%s» as the screen does',
  (title, text) => {
    expect(help).toContain(`- **${title}.** ${text}\n`)
  },
)
