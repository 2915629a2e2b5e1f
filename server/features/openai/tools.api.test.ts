import { afterEach, describe, expect, test } from 'vitest'
import { type Limits, TooManyRequests } from '#server/http/limits.ts'
import { fetchPage } from '#server/internet/fetch-page.ts'
import { startFakeWeb } from '#server/internet/testing/fake-web.ts'
import { AppError } from '#server/lib/errors.ts'
import { ends, event, starts } from '#server/llm/testing/fake-anthropic.ts'
import { says, streams } from '#server/llm/testing/fake-openai.ts'
import { gigaChatCalls, gigaChatSays } from '#server/llm/testing/fake-russian.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { reconcile } from '../billing/invariants.ts'
import { balanceOf } from '../billing/ledger.ts'
import { MOST_ADDRESSES } from './content.ts'
import { callsTool, startPrograms } from './testing/programs.ts'

/** What programs send beside plain text: functions, tools of their own, images by address. */

const web = await closeAfterTests(startFakeWeb())
/** Addresses that the limit of the tests allows. */
const MOST_OF_TEST = 50
const counted: string[] = []
let hasEnded = false
const limits: Limits = async (name) => {
  counted.push(name)
  if (name === 'program-addresses' && counted.filter((each) => each === name).length > MOST_OF_TEST)
    throw new AppError('too_many_requests', 'Слишком много картинок по адресам.')
  if (hasEnded && name === 'programs-key')
    throw new TooManyRequests(48, undefined, { limit: 300, left: 0, resetMs: 47_500 })
  if (name === 'programs-key') return { limit: 300, left: 299, resetMs: 59_400 }
  return name === 'programs-user' ? { limit: 600, left: 12, resetMs: 900 } : undefined
}
const programs = await closeAfterTests(
  startPrograms({
    deps: { limits },
    web: {
      search: null,
      price: 0,
      fetchPage: (address, signal, request) => fetchPage(address, signal, request, { reach: web.reach }),
    },
  }),
)
const { db, provider, ask, makeKey } = programs
afterEach(async () => expect(await reconcile(db)).toEqual([]))

const hello = [{ role: 'user', content: 'Привет' }]
const question = (more: object = {}) => ({ model: 'fast', messages: hello, ...more })
const json = async (response: Response) => (await response.json()) as Record<string, never>
const linesOf = async (response: Response) =>
  (await response.text()).split('\n').flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : []))

describe('functions pass through every kind of provider (S10.966, S10.977)', () => {
  const tools = [
    {
      type: 'function',
      function: {
        name: 'weather',
        description: 'Погода',
        parameters: { type: 'object', properties: { city: { type: 'string' } } },
      },
    },
  ]
  const asked = {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Омск"}' } }],
  }
  const turn = [...hello, asked, { role: 'tool', tool_call_id: 'c1', content: '-20' }]
  const called = {
    finish_reason: 'tool_calls',
    message: {
      content: null,
      tool_calls: [{ type: 'function', function: { name: 'weather', arguments: '{"city":"Омск"}' } }],
    },
  }

  test('Anthropic', async () => {
    const { secret } = await makeKey()
    const start = event('content_block_start', {
      index: 0,
      content_block: { type: 'tool_use', id: 'tu_1', name: 'weather', input: {} },
    })
    const delta = (partial_json: string) =>
      event('content_block_delta', { index: 0, delta: { type: 'input_json_delta', partial_json } })
    programs.anthropic.play(streams(starts(), start, delta('{"city":'), delta('"Омск"}'), ends('tool_use')))
    const body = question({ model: 'claude', tools, tool_choice: 'required', parallel_tool_calls: false })
    expect(await json(await ask(secret, '/chat/completions', body))).toMatchObject({ choices: [called] })
    expect(programs.anthropic.received.at(-1)?.body).toMatchObject({
      tools: [{ name: 'weather', description: 'Погода', input_schema: { type: 'object' } }],
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
    })
    await ask(secret, '/chat/completions', question({ model: 'claude', tools, messages: turn }))
    expect(programs.anthropic.received.at(-1)?.body.messages.slice(-2)).toMatchObject([
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'weather', input: { city: 'Омск' } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: '-20' }] },
    ])
  })

  test('Gemini', async () => {
    const { secret } = await makeKey()
    const part = { functionCall: { name: 'weather', args: { city: 'Омск' } } }
    const data = {
      candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 3 },
    }
    programs.gemini.play(streams(`data: ${JSON.stringify(data)}\r\n\r\n`))
    const schema = { type: 'object', properties: { a: { type: 'number' } } }
    const body = question({
      model: 'gemini',
      tools,
      tool_choice: { type: 'function', function: { name: 'weather' } },
      stop: 'КОНЕЦ',
      response_format: { type: 'json_schema', json_schema: { name: 'x', schema } },
    })
    expect(await json(await ask(secret, '/chat/completions', body))).toMatchObject({ choices: [called] })
    expect(programs.gemini.received.at(-1)?.body).toMatchObject({
      tools: [{ functionDeclarations: [{ name: 'weather', parametersJsonSchema: { type: 'object' } }] }],
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['weather'] } },
      generationConfig: { stopSequences: ['КОНЕЦ'], responseMimeType: 'application/json', responseJsonSchema: schema },
    })
    await ask(secret, '/chat/completions', question({ model: 'gemini', tools, messages: turn }))
    expect(programs.gemini.received.at(-1)?.body.contents.slice(-2)).toMatchObject([
      { role: 'model', parts: [part] },
      { role: 'user', parts: [{ functionResponse: { name: 'weather', response: { result: '-20' } } }] },
    ])
  })

  test('GigaChat has functions of its own, whole and as a stream', async () => {
    const { secret } = await makeKey()
    const state = '77d3fb14-457a-46ba-937e-8d856156d003'
    programs.gigachat.play(gigaChatCalls('weather', { city: 'Омск' }, state))
    const body = question({ model: 'giga', tools, tool_choice: 'required', parallel_tool_calls: true })
    const answer = await json(await ask(secret, '/chat/completions', body))
    expect(answer).toMatchObject({ choices: [called] })
    expect(answer).toMatchObject({ choices: [{ message: { tool_calls: [{ id: state }] } }] })
    expect(programs.gigachat.received.at(-1)?.body).toMatchObject({
      functions: [{ name: 'weather', description: 'Погода', parameters: { type: 'object' } }],
      function_call: { name: 'weather' },
    })
    const streamed = await linesOf(await ask(secret, '/chat/completions', { ...body, stream: true }))
    const deltas = streamed.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? [])
    expect(deltas).toMatchObject([{ index: 0, id: state, function: { name: 'weather', arguments: '{"city":"Омск"}' } }])
    expect(streamed.at(-1)).toMatchObject({ choices: [{ finish_reason: 'tool_calls' }] })

    programs.gigachat.play(gigaChatSays('Холодно'))
    const calls = [state, 'call_2'].map((id) => ({ id, function: { name: 'weather', arguments: '{"city":"Омск"}' } }))
    const messages = [
      { role: 'system', content: 'Кратко' },
      ...hello,
      { role: 'developer', content: 'Вежливо' },
      { role: 'assistant', content: null, tool_calls: calls },
      { role: 'tool', tool_call_id: 'call_2', content: '{"t":-20}' },
      { role: 'tool', tool_call_id: state, content: '-20' },
    ]
    const second = await json(await ask(secret, '/chat/completions', question({ model: 'giga', tools, messages })))
    expect(second).toMatchObject({ choices: [{ message: { content: 'Холодно' }, finish_reason: 'stop' }] })
    const asked = { role: 'assistant', content: '', function_call: { name: 'weather', arguments: { city: 'Омск' } } }
    expect(programs.gigachat.received.at(-1)?.body.messages).toEqual([
      { role: 'system', content: 'Кратко\n\nВежливо' },
      ...hello,
      { ...asked, functions_state_id: state },
      { role: 'function', name: 'weather', content: '{"result":-20}' },
      asked,
      { role: 'function', name: 'weather', content: '{"t":-20}' },
    ])
  })

  test('Yandex takes the form of OpenAI', async () => {
    const { secret } = await makeKey()
    programs.yandex.play(callsTool('y1'))
    const first = await ask(secret, '/chat/completions', question({ model: 'yandex', tools }))
    expect(await json(first)).toMatchObject({ choices: [called] })
    expect(programs.yandex.received.at(-1)?.body).toMatchObject({ tools: [{ function: { name: 'weather' } }] })
    programs.yandex.play(says('Холодно'))
    await ask(secret, '/chat/completions', question({ model: 'yandex', tools, messages: turn }))
    expect(programs.yandex.received.at(-1)?.body.messages.at(-1)).toMatchObject({ role: 'tool', tool_call_id: 'c1' })
  })

  test('what a provider has not is an error that names the field', async () => {
    const { secret, userId } = await makeKey()
    const two = [...tools, { type: 'function', function: { name: 'time' } }]
    const cases = [
      [{ model: 'demo', tools }, 'tools'],
      [{ model: 'giga', tools: two, tool_choice: 'required' }, 'tool_choice'],
      [{ model: 'giga', response_format: { type: 'json_object' } }, 'response_format'],
    ] as const
    for (const [body, param] of cases) {
      const response = await ask(secret, '/chat/completions', question(body))
      expect([response.status, await json(response)]).toMatchObject([400, { error: { param } }])
    }
    expect(await balanceOf(db, userId)).toMatchObject({ availableTokens: 100_000, held: 0 })
  })
})

describe('requests of programs as they send them (S10.978)', () => {
  const shell = {
    ...{ type: 'function', name: 'exec_command', description: 'Runs a command', strict: false },
    parameters: { type: 'object', properties: { cmd: { type: 'string' } }, required: ['cmd'] },
  }
  const codex = {
    ...{ model: 'fast', instructions: 'You are a coding agent', stream: true, store: false, tool_choice: 'auto' },
    ...{ parallel_tool_calls: false, include: ['reasoning.encrypted_content'], prompt_cache_key: 'a-b-c' },
    reasoning: { effort: 'medium', summary: 'auto' },
    text: { verbosity: 'low' },
    client_metadata: { 'x-codex-installation-id': 'x' },
    tools: [
      shell,
      { type: 'custom', name: 'apply_patch', description: 'Patches', format: { type: 'grammar', syntax: 'lark' } },
      { type: 'web_search', external_web_access: false },
    ],
    input: [
      { type: 'message', role: 'developer', content: [{ type: 'input_text', text: '<permissions>' }] },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Что в папке?' }] },
    ],
  }

  test('Codex CLI calls its shell and gets the result back', async () => {
    const { secret } = await makeKey()
    provider.play(callsTool())
    const events = await linesOf(await ask(secret, '/responses', codex))
    const done = events.at(-1)
    expect(done).toMatchObject({ type: 'response.completed', response: { output: [{ type: 'function_call' }] } })
    const names = ['exec_command', 'apply_patch']
    expect(provider.received.at(-1)?.tools).toMatchObject(names.map((name) => ({ function: { name } })))
    provider.play(says('Пусто'))
    const image = { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'high' }
    const input = [
      ...codex.input,
      { type: 'reasoning', summary: [], encrypted_content: 'x' },
      ...done.response.output,
      { type: 'function_call_output', call_id: 'call_1', output: [{ type: 'input_text', text: 'total 0' }, image] },
    ]
    const second = await linesOf(await ask(secret, '/responses', { ...codex, input }))
    expect(second.at(-1)).toMatchObject({ type: 'response.completed' })
    expect(provider.received.at(-1)?.messages.slice(-3)).toMatchObject([
      { role: 'assistant', tool_calls: [{ id: 'call_1' }] },
      { role: 'tool', tool_call_id: 'call_1', content: 'total 0' },
      { role: 'user', content: [{}, { type: 'image_url' }] },
    ])
  })

  test('n8n asks by the Responses API with its memory', async () => {
    const { secret } = await makeKey()
    provider.play(says('Да'))
    const body = {
      ...{ model: 'fast', stream: false, temperature: 0.7, store: false, truncation: 'disabled', metadata: {} },
      ...{ parallel_tool_calls: true, tool_choice: 'auto', text: { format: { type: 'text' } }, service_tier: 'auto' },
      tools: [{ type: 'function', name: 'Calculator', parameters: { type: 'object' }, strict: null }],
      input: [
        { type: 'message', role: 'system', content: 'You are a helpful assistant' },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Раз' }] },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Два', annotations: [] }] },
        { type: 'message', role: 'user', content: 'Три' },
      ],
    }
    const response = await ask(secret, '/responses', body)
    expect([response.status, await json(response)]).toMatchObject([200, { status: 'completed' }])
    expect(provider.received.at(-1)).toMatchObject({
      tools: [{ function: { name: 'Calculator' } }],
      messages: [{ role: 'system' }, { role: 'user' }, { role: 'assistant', content: 'Два' }, { content: 'Три' }],
    })
  })

  test('tools that we have not are errors, not silence (S10.979)', async () => {
    const { secret } = await makeKey()
    const kinds = ['web_search', 'web_search_preview', 'file_search', 'code_interpreter', 'computer_use', 'mcp']
    for (const type of kinds) {
      const response = await ask(secret, '/responses', { ...codex, tools: [shell, { type, name: 'x' }] })
      expect([response.status, await json(response)]).toMatchObject([400, { error: { param: 'tools[1].type' } }])
    }
    const chat = [
      [{ tools: [{ type: 'file_search' }] }, 'tools[0].type'],
      [{ tools: [{ type: 'custom', custom: { name: 'x' } }] }, 'tools[0].type'],
      [{ web_search_options: {} }, 'web_search_options'],
      [{ functions: [{ name: 'x' }] }, 'functions'],
    ] as const
    for (const [more, param] of chat) {
      const response = await ask(secret, '/chat/completions', question(more))
      expect([response.status, await json(response)]).toMatchObject([400, { error: { param } }])
    }
    const nameless = await ask(secret, '/responses', { ...codex, tools: [{ type: 'function' }] })
    expect(await json(nameless)).toMatchObject({ error: { param: 'tools[0].name' } })
  })
})

describe('images by address (S10.980)', () => {
  const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const picture = Buffer.from(PIXEL, 'base64')
  web.put('/a.png', (response) => response.writeHead(200, { 'content-type': 'image/png' }).end(picture))
  web.put('/page', 'страница')
  web.put('/lie.png', (response) => response.writeHead(200, { 'content-type': 'image/png' }).end('<svg/>'))
  web.put('/inside', (response) => response.writeHead(302, { location: web.at('/a.png', 'inside.example') }).end())
  const shows = (...urls: string[]) => ({
    messages: [{ role: 'user', content: urls.map((url) => ({ type: 'image_url', image_url: { url } })) }],
  })

  test('reach the model as bytes', async () => {
    const { secret } = await makeKey()
    provider.play(says('Точка'))
    const url = web.at('/a.png')
    expect((await ask(secret, '/chat/completions', question(shows(url)))).status).toBe(200)
    const sent = { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } }
    expect(provider.received.at(-1)?.messages).toMatchObject([{ content: [{ type: 'text' }, sent] }])
    const input = [{ role: 'user', content: [{ type: 'input_image', image_url: url }] }]
    expect((await ask(secret, '/responses', { model: 'fast', input })).status).toBe(200)
    expect(provider.received.at(-1)?.messages).toMatchObject([{ content: [{ type: 'text' }, sent] }])
  })

  test('count towards a limit of their own before they are read (S10.1223)', async () => {
    const { secret, userId } = await makeKey()
    counted.length = 0
    await ask(secret, '/chat/completions', question(shows(web.at('/none'), web.at('/none'))))
    expect(counted.filter((name) => name === 'program-addresses')).toHaveLength(2)
    counted.push(...Array(MOST_OF_TEST).fill('program-addresses'))
    const before = web.requests.length
    const refused = await ask(secret, '/chat/completions', question(shows(web.at('/a.png'))))
    expect([refused.status, web.requests.length]).toEqual([429, before])
    expect(await balanceOf(db, userId)).toMatchObject({ availableTokens: 100_000, held: 0 })
    counted.length = 0
  })

  test.each([
    ['an address inside', [web.at('/a.png', 'metadata.example')], 0],
    ['a redirect inside', [web.at('/a.png'), web.at('/inside')], 1],
    ['no image', [web.at('/page')], 0],
    ['other bytes', [web.at('/lie.png')], 0],
    ['nothing', [web.at('/none')], 0],
    ['too many', Array.from({ length: MOST_ADDRESSES + 1 }, () => web.at('/a.png')), MOST_ADDRESSES],
  ])('%s is an error that names the part', async (_, urls, n) => {
    const { secret, userId } = await makeKey()
    const response = await ask(secret, '/chat/completions', question(shows(...urls)))
    const error = { param: `messages[0].content[${n}].image_url`, message: expect.stringContaining('data:image/png') }
    expect([response.status, await json(response)]).toMatchObject([400, { error }])
    expect(await balanceOf(db, userId)).toMatchObject({ availableTokens: 100_000, held: 0 })
  })
})

test('answers say what is left of limits and their time (S10.981)', async () => {
  const { secret } = await makeKey()
  provider.play(says('Да'))
  const answers = [
    await ask(secret, '/models'),
    await ask(secret, '/chat/completions', question()),
    await ask(secret, '/chat/completions', question({ stream: true })),
    await ask(secret, '/chat/completions', question({ n: 2 })),
  ]
  for (const { headers } of answers) {
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-ratelimit-limit-requests': '600',
      'x-ratelimit-remaining-requests': '12',
      'x-ratelimit-reset-requests': '1s',
      'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/),
      'openai-processing-ms': expect.stringMatching(/^\d+$/),
      'access-control-expose-headers': expect.stringContaining('x-ratelimit-remaining-requests'),
    })
  }
  await Promise.all(answers.map((answer) => answer.text()))
})

test('a counter that has ended says when it begins anew (S10.1048)', async () => {
  const { secret } = await makeKey()
  hasEnded = true
  const { status, headers } = await ask(secret, '/chat/completions', question())
  hasEnded = false
  expect(status).toBe(429)
  expect(Object.fromEntries(headers)).toMatchObject({
    'retry-after': '48',
    'x-ratelimit-limit-requests': '300',
    'x-ratelimit-remaining-requests': '0',
    'x-ratelimit-reset-requests': '48s',
  })
})
