import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { modelsQuery } from '#web/features/models/queries.ts'
import { openThread } from '../testing/open-thread.tsx'

/** Opens a chat with this many questions and returns how many of its parts observe the list of models. */
async function readersOfModels(questions: number): Promise<number | undefined> {
  const messages = Array.from({ length: questions }, (_, i) => ({
    id: `q${i}`,
    parentId: i > 0 ? `q${i - 1}` : null,
    content: `Вопрос ${i}`,
  }))
  const { client, unmount } = await openThread({ messages })
  const log = screen.getByRole('log')
  expect(within(log).getAllByRole('article', { name: 'Вы' })).toHaveLength(questions)
  const count = client.getQueryCache().find({ queryKey: modelsQuery.queryKey })?.getObserversCount()
  unmount()
  return count
}

test('a long chat reads the models as often as a short chat', async () => {
  expect(await readersOfModels(20)).toBe(await readersOfModels(2))
})
