import { expect, test } from 'vitest'
import { SendMessage } from './answers.ts'
import { NewOrder } from './fields.ts'
import { imagesApi } from './images.ts'
import { promocodesApi } from './promocodes.ts'
import { BulkAction } from './prompts-admin.ts'

const ids = ['one', 'two', 'one']

test.each([
  ['files of a message', SendMessage, { content: 'Вопрос', fileIds: ids }, 'fileIds'],
  ['pictures to delete', imagesApi.deleteMany.body, { ids }, 'ids'],
  ['codes to switch off', promocodesApi.setActive.body, { ids, active: false }, 'ids'],
  ['prompts to delete', BulkAction, { action: 'delete', ids }, 'ids'],
  ['a new order', NewOrder, { ids }, 'ids'],
])('%s are refused when an id is repeated', (_, schema, body, field) => {
  const [issue] = schema.safeParse(body).error?.issues ?? []
  expect(issue).toMatchObject({ path: [field], message: expect.stringContaining('дважды') })
  expect(schema.safeParse(JSON.parse(JSON.stringify(body).replace(',"one"]', ']'))).success).toBe(true)
})
