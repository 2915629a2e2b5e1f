import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ChatBody, EmbeddingsBody } from '#contract/openai.ts'
import { ResponsesBody } from '#contract/openai-responses.ts'
import { cpuMs } from '#server/testing/cpu-time.ts'
import { chatCallOf, inputSymbols } from './chat-request.ts'
import { chunksOf, usageOf } from './chat-response.ts'
import { checkBody } from './door.ts'
import { inputsOf } from './embeddings.ts'
import { messagesOf, responsesCallOf } from './responses-request.ts'
import { cutAtStop } from './stop-words.ts'

const call = (body: object) =>
  chatCallOf(checkBody(ChatBody, { model: 'm', messages: [{ role: 'user', content: 'да' }], ...body }))

test('a request becomes ours (S10.961, S10.962)', () => {
  const made = call({
    stop: 'x',
    max_tokens: 5,
    max_completion_tokens: 7,
    reasoning_effort: 'low',
    prompt_cache_key: 'k',
    temperature: 0,
    tools: [],
    tool_choice: 'auto',
  })
  expect(made).toMatchObject({
    maxTokens: 7,
    thinking: 'low',
    options: { stop: ['x'], sampling: { temperature: 0 }, cacheKey: 'k' },
  })
  expect(made.options).not.toHaveProperty('tools')
  expect(made.options).not.toHaveProperty('toolChoice')
  const parts = [
    { type: 'text', text: 'раз' },
    { type: 'text', text: 'два' },
  ]
  expect(call({ messages: [{ role: 'developer', content: parts }] }).messages).toEqual([
    { role: 'system', content: 'раз\n\nдва' },
  ])
})

test('everything that is sent to a provider is counted (S10.964, S10.1015)', () => {
  const url = 'data:image/jpg;base64,AAAA'
  const tools = [{ type: 'function', function: { name: 'f' } }]
  const messages = [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'да' },
        { type: 'image_url', image_url: url },
      ],
    },
    { role: 'assistant', tool_calls: [{ id: '1', function: { name: 'f', arguments: '{}' } }] },
    { role: 'tool', tool_call_id: '1', content: 'ок' },
  ]
  // The text, the image, the call with its id, the result with that id, the function.
  const sent = 2 + 1000 + 4 + 3 + JSON.stringify({ name: 'f' }).length
  expect(inputSymbols(call({ messages, tools }))).toBe(sent)
  const schema = { name: 'shape', schema: { type: 'object' }, description: 'я'.repeat(3000), strict: true }
  const response_format = { type: 'json_schema', json_schema: schema }
  expect(inputSymbols(call({ response_format }))).toBe(2 + JSON.stringify(schema).length)
  const tool_choice = { type: 'function', function: { name: 'f' } }
  expect(inputSymbols(call({ stop: ['раз', 'два'], messages, tools, tool_choice }))).toBe(sent + 6 + 1)
})

test('many empty messages cost what they are billed as (S10.1015)', () => {
  const messages = (n: number, content: string) => ({
    messages: Array.from({ length: n }, () => ({ role: 'user', content })),
  })
  expect(inputSymbols(call(messages(1, 'да')))).toBe(2)
  expect(inputSymbols(call(messages(1001, '')))).toBe(12_000)
  expect(inputSymbols(call(messages(1001, 'я'.repeat(20))))).toBe(20_020)
  const items = [
    { role: 'user' as const, content: '' },
    { type: 'function_call' as const, call_id: 'я'.repeat(100), name: 'f', arguments: '' },
  ]
  expect(inputSymbols(responsesCallOf(checkBody(ResponsesBody, { model: 'm', input: items })).call)).toBe(101)
})

test.each([
  [{ stop: 'я'.repeat(65) }, 'stop'],
  [{ stop: ['я', 'я'.repeat(65)] }, 'stop'],
  [{ stop: ['1', '2', '3', '4', '5'] }, 'stop'],
  [{ messages: [{ role: 'tool', content: '', tool_call_id: 'я'.repeat(5000) }] }, 'messages[0].tool_call_id'],
  [
    { response_format: { type: 'json_schema', json_schema: { name: 'x', schema: {}, description: 'я'.repeat(5000) } } },
    'response_format',
  ],
])('what no program needs is refused by its name (S10.1016)', (body, param) => {
  expect(() => call(body)).toThrow(param)
})

test('items are named once, and many thoughts cost little (S10.1308)', async () => {
  const kept = new Map([['rs_1', { type: 'reasoning' as const, id: 'rs_1', summary: [] }]])
  const reference = { type: 'item_reference' as const, id: 'rs_1' }
  expect(() => messagesOf([reference, reference], kept)).toThrow('названа дважды')
  const thought = { type: 'reasoning' as const, content: [{ text: 'я'.repeat(300) }] }
  const spent = await cpuMs(() => messagesOf([...Array(6000).fill(thought), { role: 'user', content: 'да' }]))
  expect(spent).toBeLessThan(200)
})

test('chunks are what JSON.parse expects (S10.961)', () => {
  const chunks = chunksOf({ id: 'a"b', created: 1, model: 'm' }, false)
  expect(JSON.parse(chunks.text('«"\n»').slice(6))).toEqual({
    ...{ id: 'a"b', object: 'chat.completion.chunk', created: 1, model: 'm' },
    choices: [{ index: 0, delta: { content: '«"\n»' }, logprobs: null, finish_reason: null }],
  })
})

test('tokens that a provider does not count are estimated (S10.961)', () => {
  const symbols = { charged: 1, left: 2 }
  const usage = usageOf({ usage: null, sizes: { input: 30, output: 20, thought: 10 }, symbols })
  expect(usage.total_tokens).toBe(usage.prompt_tokens + usage.completion_tokens)
  expect(usage.completion_tokens_details.reasoning_tokens).toBeGreaterThan(0)
})

describe('stop words (S10.962)', () => {
  test.each([
    [['ab'], ['xa', 'by'], 'x', true],
    [['ab'], ['xa', 'c'], 'xac', false],
    [['abc', 'b'], ['a', 'b', 'c'], 'a', true],
    [['\n\n'], ['a\n', 'b\n', '\nc'], 'a\nb', true],
    [[], ['a', 'b'], 'ab', false],
    [['abcd', 'bc'], ['abcd'], 'a', true],
    [['aab'], ['aaaa', 'b', 'c'], 'aa', true],
    [['abab', 'ac'], ['aba', 'c', 'ab'], 'ab', true],
    [['abac'], ['ab', 'abac'], 'ab', true],
  ])('%j in %j leave %j', (stops, texts, expected, isStopped) => {
    const words = cutAtStop(stops)
    const got = texts.map((text) => words.push(text)).join('') + words.rest()
    expect([got, words.isStopped()]).toEqual([expected, isStopped])
  })

  test('words are found wherever the pieces end (S10.962)', () => {
    const letters = fc.stringMatching(/^[ab]{1,4}$/)
    const text = fc.stringMatching(/^[ab]{0,30}$/)
    fc.assert(
      fc.property(fc.array(letters, { minLength: 1, maxLength: 4 }), text, fc.nat(5), (stops, whole, size) => {
        const words = cutAtStop(stops)
        const pieces = whole.match(new RegExp(`.{1,${size + 1}}`, 'g')) ?? []
        const got = pieces.map((piece) => words.push(piece)).join('') + words.rest()
        const ends = stops.flatMap((stop) => (whole.includes(stop) ? [whole.indexOf(stop) + stop.length] : []))
        const end = Math.min(...ends)
        const cut = Math.max(...stops.filter((stop) => whole.slice(0, end).endsWith(stop)).map(({ length }) => length))
        expect(got).toBe(ends.length === 0 ? whole : whole.slice(0, end - cut))
        expect(words.isStopped()).toBe(ends.length > 0)
      }),
    )
  })

  test('a word that is never finished costs no more than the text (S10.1016)', async () => {
    const words = cutAtStop(['а'.repeat(20_000)])
    const spent = await cpuMs(() => {
      for (let n = 0; n < 100; n += 1) words.push(`${'а'.repeat(999)}б`)
      for (let n = 0; n < 190; n += 1) words.push('а'.repeat(100))
    })
    expect(words.rest()).toHaveLength(19_000)
    expect(spent).toBeLessThan(500)
  })
})

test('inputs of vectors have four forms (S10.970)', () => {
  const inputs = (input: unknown) => inputsOf(checkBody(EmbeddingsBody, { model: 'm', input }).input)
  expect(inputs('a')).toEqual({ texts: ['a'] })
  expect(inputs(['a', 'b'])).toEqual({ texts: ['a', 'b'] })
  expect(inputs([1, 2])).toEqual({ texts: [], tokens: [[1, 2]] })
  expect(inputs([[1], [2]])).toEqual({ texts: [], tokens: [[1], [2]] })
  expect(() => inputs([])).toThrow('input')
})

test('calls of functions join the message before them (S10.973)', () => {
  const item = { type: 'function_call' as const, name: 'f', arguments: '{}' }
  const messages = messagesOf([
    { role: 'assistant', content: 'Смотрю' },
    { ...item, call_id: '1' },
    { ...item, call_id: '2' },
    { type: 'function_call_output', call_id: '1', output: 'раз' },
    { type: 'reasoning' },
    { ...item, call_id: '3' },
  ])
  expect(messages.map(({ role, toolCalls }) => [role, toolCalls?.map(({ id }) => id)])).toEqual([
    ['assistant', ['1', '2']],
    ['tool', undefined],
    ['assistant', ['3']],
  ])
  expect(() => messagesOf([{ type: 'item_reference', id: 'msg_1' }])).toThrow('store: false')
  expect(
    messagesOf([
      { type: 'item_reference', id: 'rs_1' },
      { role: 'user', content: 'Да' },
    ]),
  ).toHaveLength(1)
})

test('a namespace is described once, also when its functions repeat (S10.1040)', () => {
  const tools = {
    type: 'namespace',
    name: 'files',
    description: 'About files.',
    tools: [{ type: 'function', name: 'read' }],
  }
  const body = ResponsesBody.parse({ model: 'm', input: 'a', tools: [tools, { ...tools, description: 'Newer.' }] })
  const { functions } = responsesCallOf(body).tools
  expect(functions).toMatchObject([{ name: 'files__read', description: 'Newer.' }])
})
