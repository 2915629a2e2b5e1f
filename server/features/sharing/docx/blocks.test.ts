import { expect, test } from 'vitest'
import { parseAnswer } from '#contract/markdown/parse-answer.ts'
import { blocksOf, createLists, outermost } from './blocks.ts'

const xmlOf = (text: string) => blocksOf(parseAnswer(text), outermost(createLists()))

test('a short row under a long head is written as short (S10.1265)', () => {
  const head = `|${'a|'.repeat(60)}\n|${'-|'.repeat(60)}\n`
  const [few, many] = [xmlOf(`${head}${'|b|\n'.repeat(10)}`), xmlOf(`${head}${'|b|\n'.repeat(110)}`)]
  expect((many.length - few.length) / 100).toBeLessThan(300)
  expect(few.match(/<w:gridSpan w:val="59"\/>/g)).toHaveLength(10)
  expect(xmlOf('|a|b|\n|-|-|\n|c|d|\n')).not.toContain('gridSpan')
})
