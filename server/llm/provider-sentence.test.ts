import { expect, test } from 'vitest'
import { cpuMs } from '#server/testing/cpu-time.ts'
import { LlmError, rejectedBy } from './errors.ts'
import { sentenceIn } from './provider-sentence.ts'

const schema = "Invalid schema for function 'x': schema must have type object"

test.each([
  [{ error: { message: schema, type: 'invalid_request_error' } }, schema],
  [
    { type: 'error', error: { type: 'invalid_request_error', message: 'messages.1.content.0: Field required' } },
    'messages.1.content.0: Field required',
  ],
  [[{ error: { code: 400, message: schema } }], schema],
  [{ message: schema, code: 400 }, schema],
  [{ error: schema }, schema],
  [{ detail: [{ loc: ['body', 'tools'], msg: 'Input should be a valid list' }] }, 'Input should be a valid list'],
  [{ error: { code: 7 } }, null],
  [{}, null],
  [null, null],
])('the sentence is found under the names of providers (S10.1019)', (body, expected) => {
  expect(sentenceIn(JSON.stringify(body))).toBe(expected)
})

test('text is a sentence, HTML or broken JSON is none', () => {
  expect(sentenceIn('Unprocessable request')).toBe('Unprocessable request')
  expect(sentenceIn('<html><body>nginx</body></html>')).toBeNull()
  expect(sentenceIn('{"a":')).toBeNull()
  expect(sentenceIn(`{"error":{"message":"${schema}","more":"`)).toBe(schema)
  expect(sentenceIn('')).toBeNull()
})

test.each([
  'https://gw.corp.internal:8443/v1/chat?key=abc',
  'api.vendor.com/v1/models',
  'model-gateway:8080',
  '10.0.12.7:9000',
  '[fd00:12:34::7]:443',
  'fd00::2f17',
  'owner@company.ru',
  'sk-proj-Abc123Def456',
  'sk-ant***xyz',
  'Bearer eyJhbGciOi.abc.def',
  'org-A1b2C3d4E5',
  'AIzaSyA1234567890abcdef',
  'req_011CSHoEeqs5C35K2UUqR7Fy',
  'b7e1c6a0-8d3f-4f3a-9a51-0123456789ab',
  '0123456789abcdef0123456789abcdef',
])('%s is not shown (S10.1019)', (secret) => {
  const shown = sentenceIn(JSON.stringify({ error: { message: `Wrong tools (see ${secret}), again: ${secret}.` } }))
  expect(shown).toContain('Wrong tools (see …')
  for (const part of secret.split(/[^\w*]+/).filter((word) => /[\d*]/.test(word) && word.length > 5))
    expect(shown).not.toContain(part)
})

test('names of fields, functions and models stay', () => {
  const text =
    "tools[0].function.parameters: 'mcp__weather2__get' of claude-sonnet-4-5-20250929, user_location, response_format.json_schema.name"
  expect(sentenceIn(text)).toBe(text)
})

test('a long sentence is cut, a hostile one takes no time', async () => {
  expect(sentenceIn('слово '.repeat(500))).toHaveLength(300)
  expect(sentenceIn('строка\u0000\n\tи\u202eещё')).toBe('строка и ещё')
  const spent = await cpuMs(() => {
    for (const piece of ['a.', 'a-', '1.', 'a:', ':', '*', 'a@', 'sk-', 'a1-'])
      sentenceIn(JSON.stringify({ error: { message: piece.repeat(4000) } }))
  })
  expect(spent).toBeLessThan(300)
})

test('an error shows the sentence only to one who asks for it', () => {
  const error = rejectedBy({ status: 400, text: JSON.stringify({ error: { message: schema } }) })
  expect(error.providerSentence()).toBe(schema)
  expect(`${error.message} ${JSON.stringify(error)}`).not.toContain('schema')
  expect(new LlmError('refused').providerSentence()).toBeNull()
})
