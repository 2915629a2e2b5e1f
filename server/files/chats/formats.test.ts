import { expect, test } from 'vitest'
import { readItem } from './read-item.ts'
import {
  chatOf,
  claudeChat,
  claudeProject,
  deepSeekChat,
  gptChat,
  gptMessage,
  shownLine,
  simpleGptChat,
} from './testing/fixtures.ts'

const shown = (message: object) => ({ parent: 'q', message })

function answerOf(message: object, known: string[] = []) {
  const chat = chatOf(
    gptChat('c', { root: { parent: null }, q: { parent: 'root', role: 'user' }, a: shown(message) }),
    known,
  )
  return { ...chat.messages.at(-1), lost: chat.lost }
}

test('a chat of ChatGPT keeps title, times, models and its branches (S10.881, S10.883)', () => {
  const chat = chatOf(
    gptChat(
      'c1',
      {
        root: { parent: null },
        sys: { parent: 'root', role: 'system', text: 'You are' },
        q: { parent: 'sys', role: 'user', text: 'Вопрос' },
        a1: { parent: 'q', role: 'assistant', text: 'Первый' },
        a2: { parent: 'q', role: 'assistant', text: 'Второй' },
      },
      { current_node: 'a1', is_starred: true },
    ),
  )
  expect(chat).toMatchObject({
    source: 'chatgpt',
    id: 'c1',
    title: 'Чат c1',
    createdAt: 1_700_000_000_250,
    pinned: true,
  })
  expect(chat.updatedAt).toBe(1_700_000_500_000)
  expect(chat.messages.map(({ id, parent, model }) => [id, parent, model])).toEqual([
    ['q', null, null],
    ['a1', 'q', 'gpt-4o'],
    ['a2', 'q', 'gpt-4o'],
  ])
  expect(shownLine(chat)).toEqual(['user: Вопрос', 'assistant: Первый'])
})

test('what ChatGPT hides stays out, and its children move up (S10.881)', () => {
  const hidden = { metadata: { is_visually_hidden_from_conversation: true } }
  const profile = gptMessage('user', { content_type: 'user_editable_context', user_profile: 'Секрет' })
  const chat = chatOf(
    gptChat('c2', {
      root: { parent: null },
      profile: { parent: 'root', message: profile },
      note: { parent: 'profile', message: gptMessage('user', 'Скрыто', hidden) },
      q: { parent: 'note', role: 'user', text: 'Погода?' },
      call: { parent: 'q', message: gptMessage('assistant', 'search("погода")', { recipient: 'web' }) },
      found: { parent: 'call', role: 'tool', text: 'Солнце' },
      thoughts: {
        parent: 'found',
        message: gptMessage('assistant', {
          content_type: 'thoughts',
          thoughts: [{ summary: 'Смотрю', content: 'Ясно.' }],
        }),
      },
      recap: {
        parent: 'thoughts',
        message: gptMessage('assistant', { content_type: 'reasoning_recap', content: 'Thought for 4s' }),
      },
      a: { parent: 'recap', role: 'assistant', text: 'Солнечно' },
    }),
  )
  expect(shownLine(chat)).toEqual(['user: Погода?', 'assistant: Солнечно'])
  expect(chat.messages.at(-1)?.thought).toBe('**Смотрю**\n\nЯсно.')
})

test('without a current node the last child is followed (S10.881)', () => {
  const nodes = {
    root: { parent: null },
    q: { parent: 'root', role: 'user' },
    old: { parent: 'q', role: 'assistant' },
    new: { parent: 'q', role: 'assistant' },
  }
  expect(chatOf(gptChat('c', nodes, { current_node: undefined })).leaf).toBe('new')
  expect(chatOf(gptChat('c', nodes, { current_node: 'gone' })).leaf).toBe('new')
})

test('a circle in the archive is read (S10.881)', () => {
  const chat = chatOf(gptChat('c', { q: { parent: 'a', role: 'user' }, a: { parent: 'q', role: 'assistant' } }))
  expect(chat.messages).toHaveLength(2)
})

test('marks of sources become links or go (S10.884)', () => {
  const mark = '\uE200cite\uE202turn0search0\uE202turn0search3\uE201'
  const text = `Дождь${mark}. \uE200entity\uE202["city","Лиссабон","город"]\uE201 мокнет\uE200cite\uE202turn9\uE201.\uE2AA`
  const metadata = {
    model_slug: 'gpt-5',
    content_references: [
      { type: 'grouped_webpages', matched_text: mark, alt: '([Погода](https://a.example/?utm_source=chatgpt.com))' },
    ],
  }
  expect(answerOf(gptMessage('assistant', text, { metadata }))).toMatchObject({
    content: 'Дождь([Погода](https://a.example/)). Лиссабон мокнет.',
    model: 'gpt-5',
  })
  const old = 'Факт【4:0†source】 и ещё【5:1†source】'
  const citations = [
    {
      start_ix: 4,
      end_ix: 16,
      metadata: { type: 'webpage', title: 'Сайт', url: 'https://b.example/x?a=1&utm_source=chatgpt.com' },
    },
  ]
  expect(answerOf(gptMessage('assistant', old, { metadata: { citations } })).content).toBe(
    'Факт[Сайт](https://b.example/x?a=1) и ещё',
  )
  const script = [{ matched_text: mark, items: [{ title: 'x', url: 'javascript:alert(1)' }] }]
  expect(answerOf(gptMessage('assistant', `Так${mark}`, { metadata: { content_references: script } })).content).toBe(
    'Так',
  )
})

test.each([
  ['file-service://file-abc123', 'file-abc123'],
  ['sediment://file_00ff?shared_conversation_id=1', 'file_00ff'],
])('a picture by %s is found in the archive (S10.885)', (asset_pointer, id) => {
  const part = { content_type: 'image_asset_pointer', asset_pointer, metadata: { dalle: null } }
  const message = gptMessage('assistant', { content_type: 'multimodal_text', parts: [part, 'Вот'] })
  expect(answerOf(message, [id])).toMatchObject({ content: 'Вот', pictures: [{ entry: 0 }], lost: { pictures: 0 } })
  expect(answerOf(message)).toMatchObject({
    content: '[Картинка не вошла в архив]\n\nВот',
    pictures: [],
    lost: { pictures: 1 },
  })
})

test('a picture that a tool drew is shown as the answer (S10.885)', () => {
  const metadata = { dalle: { gen_id: 'gen1', prompt: 'Кот' } }
  const part = { content_type: 'image_asset_pointer', asset_pointer: 'sediment://file_1', metadata }
  const drawn = gptMessage('tool', { content_type: 'multimodal_text', parts: [part, 'внутреннее'] })
  expect(answerOf(drawn, ['gen1'])).toMatchObject({ role: 'assistant', content: '', pictures: [{ name: 'Кот' }] })
})

test('speech keeps its words and names its sound as lost (S10.885)', () => {
  const parts = [
    { content_type: 'audio_transcription', text: 'Привет' },
    { content_type: 'audio_asset_pointer', asset_pointer: 'sediment://file_2' },
  ]
  expect(answerOf(gptMessage('assistant', { content_type: 'multimodal_text', parts }))).toMatchObject({
    content: 'Привет',
    lost: { sounds: 1 },
  })
})

test('canvases, code and reports become text with their title (S10.884)', () => {
  const canvas = JSON.stringify({ name: 'план_работ', type: 'document', content: 'Шаг 1' })
  expect(answerOf(gptMessage('assistant', canvas, { recipient: 'canmore.create_textdoc' })).content).toBe(
    '**план работ**\n\nШаг 1',
  )
  const program = JSON.stringify({ name: 'скрипт', type: 'code/python', content: 'print(1)' })
  expect(answerOf(gptMessage('assistant', program, { recipient: 'canmore.create_textdoc' })).content).toBe(
    '**скрипт**\n\n```python\nprint(1)\n```',
  )
  const update = JSON.stringify({ updates: [{ pattern: '(a+)+$', multiple: false, replacement: 'Шаг 2' }] })
  expect(answerOf(gptMessage('assistant', update, { recipient: 'canmore.update_textdoc' })).content).toBe(
    '**Правка документа**\n\nШаг 2',
  )
  expect(answerOf(gptMessage('assistant', { content_type: 'code', language: 'unknown', text: 'x = 1' })).content).toBe(
    '```\nx = 1\n```',
  )
  const widget_state = JSON.stringify({ title: 'Рынок', report_message: { content: { parts: ['Итог'] } } })
  expect(answerOf(gptMessage('tool', '', { metadata: { chatgpt_sdk: { widget_state } } })).content).toBe(
    '## Рынок\n\nИтог',
  )
  const metadata = { async_task_id: 'deepresch_1', async_task_title: 'Обзор' }
  expect(answerOf(gptMessage('assistant', 'Текст', { metadata })).content).toBe('## Обзор\n\nТекст')
})

test('a chat of Claude keeps thoughts, artifacts and texts of files (S10.886)', () => {
  const chat = chatOf(claudeChat('cl'))
  expect(chat).toMatchObject({ source: 'claude', title: 'Письмо поставщику', lost: { files: 1 } })
  expect(shownLine(chat)).toEqual([
    'user: Напиши письмо\n\n[Файл «скан.png» не перенесён]',
    'assistant: Вот письмо.\n\n**Письмо**\n\nДобрый день!',
  ])
  expect(chat.messages[0]?.documents).toEqual([{ name: 'условия.txt', content: 'Срок две недели' }])
  expect(chat.messages[1]).toMatchObject({ thought: 'Нужен вежливый тон', model: 'claude-sonnet-4' })
})

test('branches of Claude follow its parents and its current leaf (S10.886)', () => {
  const message = (uuid: string, sender: string, parent_message_uuid: string) => ({
    uuid,
    sender,
    text: uuid,
    parent_message_uuid,
  })
  const chat_messages = [
    message('q', 'human', '00000000-0000-4000-8000-000000000000'),
    message('a', 'assistant', 'q'),
    message('b', 'assistant', 'q'),
  ]
  const chat = chatOf(claudeChat('cl', { chat_messages, current_leaf_message_uuid: 'a' }))
  expect([chat.leaf, chat.messages.map(({ parent }) => parent)]).toEqual(['a', [null, 'q', 'q']])
})

const claudeAnswer = (text: string) => {
  const message = { uuid: 'm', sender: 'assistant', text: '', content: [{ type: 'text', text }] }
  return chatOf(claudeChat('cl', { chat_messages: [message] })).messages[0]
}

test('tags of Claude of 2024 become thoughts, titles and code (S10.1126)', () => {
  const text = `Вот страница.

<antThinking>Нужна одна страница & кнопка</antThinking>

<antArtifact identifier="bakery" type="application/vnd.ant.react" title="Сайт &quot;Булка&quot; > 1">
export default () => <a>{"b"}</a>
</antArtifact>

И скрипт:
<antArtifact title="Сумма" identifier="sum" language="python" type="application/vnd.ant.code">
print(1)
</antArtifact>
<antArtifact identifier="letter" type="text/markdown">**Добрый** день!</antArtifact>
Готово.`
  expect(claudeAnswer(text)).toMatchObject({
    thought: 'Нужна одна страница & кнопка',
    content: [
      'Вот страница.',
      '**Сайт "Булка" > 1**',
      '```jsx\nexport default () => <a>{"b"}</a>\n```',
      'И скрипт:',
      '**Сумма**',
      '```python\nprint(1)\n```',
      '**letter**',
      '**Добрый** день!',
      'Готово.',
    ].join('\n\n'),
  })
})

test('tags that break off or are only named lose no words (S10.1126)', () => {
  expect(claudeAnswer('Да <antArtifact type="text/html" title="Т"><b>раз')).toMatchObject({
    content: 'Да \n\n**Т**\n\n```html\n<b>раз\n```',
  })
  const named = 'Тег `<antThinking>` и <antArtifact> в тексте'
  expect(claudeAnswer(named)?.content).toContain('Тег `<antThinking>` и')
  const asked = { uuid: 'm', sender: 'human', text: '<antThinking>что это</antThinking>' }
  expect(chatOf(claudeChat('cl', { chat_messages: [asked] })).messages[0]?.content).toBe(asked.text)
})

test('a project of Claude has instructions and texts (S10.886)', () => {
  expect(readItem(JSON.stringify(claudeProject), () => null)).toEqual({
    type: 'project',
    project: {
      source: 'claude',
      id: 'project-1',
      name: 'Закупки',
      icon: '',
      lostFiles: 0,
      instructions: 'Отвечай коротко',
      settings: { country: null, replacesPersonal: false, searchWords: true, archived: false },
      documents: [{ name: 'правила.md', content: '# Правила' }],
    },
  })
})

test('a chat of DeepSeek has its versions and thoughts (S10.886)', () => {
  const chat = chatOf(deepSeekChat('ds'))
  expect(chat).toMatchObject({ source: 'deepseek', id: 'ds', createdAt: Date.UTC(2025, 2, 29, 20, 49, 36, 505) })
  expect(chat.messages.map(({ role, content, thought, model }) => [role, content, thought, model])).toEqual([
    ['user', 'Докажи', '', null],
    ['assistant', 'Первое доказательство', 'Пусть a…', 'deepseek-reasoner'],
    ['assistant', 'Второе', '', 'deepseek-chat'],
  ])
  expect(shownLine(chat)).toEqual(['user: Докажи', 'assistant: Второе'])
})

test('an older chat of DeepSeek has texts instead of fragments (S10.886)', () => {
  const mapping = {
    1: { id: '1', parent: null, children: ['2'], message: { role: 'USER', content: 'Да?' } },
    2: { id: '2', parent: '1', children: [], message: { role: 'ASSISTANT', content: 'Да', reasoning_content: 'Хм' } },
  }
  const chat = chatOf({ ...deepSeekChat('old'), mapping })
  expect([shownLine(chat), chat.messages[1]?.thought]).toEqual([['user: Да?', 'assistant: Да'], 'Хм'])
})

test('citations of DeepSeek are links, and found pages stay (S10.1127)', () => {
  const results = [
    { url: 'https://a.example/x_(1)', title: 'Первая [1]', snippet: 'а', cite_index: 1 },
    { url: 'https://b.example/', title: 'Вторая', cite_index: 2 },
    { url: 'javascript:alert(1)', title: 'Плохая', cite_index: 3 },
  ]
  const answer = {
    fragments: [
      { type: 'SEARCH', content: null, results },
      { type: 'THINK', content: 'Смотрю [citation:2]' },
      { type: 'RESPONSE', content: 'Раз[citation:1][citation:3]. Два [citation:2, 1] и [citation:9].' },
    ],
  }
  const mapping = { 1: { id: '1', parent: null, children: [], message: answer } }
  const shown = chatOf({ ...deepSeekChat('ds'), mapping }).messages[0]
  const first = 'https://a.example/x_%281%29'
  expect(shown?.thought).toBe('Смотрю [2](https://b.example/)')
  expect(shown?.content).toBe(
    [
      `Раз [1](${first}). Два [2](https://b.example/) [1](${first}) и.`,
      '**Источники**',
      `1. [Первая  1](${first})\n2. [Вторая](https://b.example/)`,
    ].join('\n\n'),
  )
})

test('texts that ChatGPT marks as written keep their words (S10.1128)', () => {
  const text = [
    'Вот письмо:',
    ':::writing{variant="email" id="1" subject="Срок оплаты"}',
    'Добрый день!',
    ':::',
    'Ещё:',
    '```',
    ':::writing{a}',
    ':::',
    '```',
    ':::writing',
    'Без конца',
  ].join('\n')
  expect(answerOf(gptMessage('assistant', text)).content).toBe(
    [
      ...['Вот письмо:', '', '**Срок оплаты**', '', 'Добрый день!', '', 'Ещё:', '```', ':::writing{a}', ':::', '```'],
      ...['', 'Без конца'],
    ].join('\n'),
  )
})

test('our own export and a chat that was exported alone are read (S10.886)', () => {
  const messages = [
    { id: 'm1', parentId: null, role: 'user', content: 'Раз', createdAt: '2026-01-01T00:00:00.000Z' },
    {
      id: 'm2',
      parentId: 'm1',
      role: 'assistant',
      content: 'Два',
      thought: 'Думал',
      modelId: 'm',
      createdAt: '2026-01-01T00:00:01.000Z',
    },
  ]
  const thread = { id: 'thread-1', title: 'Счёт', createdAt: '2026-01-01T00:00:00.000Z', deletedAt: null }
  for (const chat of [chatOf({ ...thread, messages }), chatOf({ ...thread, Messages: messages })]) {
    expect(chat).toMatchObject({ source: 'symbol', id: 'thread-1', leaf: 'm2' })
    expect(chat.messages[1]).toMatchObject({ parent: 'm1', thought: 'Думал', model: 'm' })
  }
  const trashed = readItem(JSON.stringify({ ...thread, messages, deletedAt: '2026-02-01T00:00:00.000Z' }), () => null)
  expect(trashed).toMatchObject({ type: 'skipped', reason: 'empty' })
})

test.each([
  ['{"title":"Чат","mapping":', { type: 'skipped', reason: 'broken', name: 'Чат' }],
  ['{"title":"Пусто","mapping":{}}', { type: 'skipped', reason: 'empty', name: 'Пусто' }],
  ['{"email":"a@b.c"}', { type: 'other' }],
  ['[1]', { type: 'other' }],
])('what is no chat is skipped or not counted: %s (S10.880)', (text, expected) => {
  expect(readItem(text, () => null)).toEqual(expected)
})

test('fields of wrong types lose nothing but themselves (S10.880)', () => {
  const odd = {
    ...simpleGptChat('x'),
    title: 7,
    create_time: 'soon',
    update_time: null,
    current_node: {},
    default_model_slug: [],
  }
  expect(chatOf(odd)).toMatchObject({ title: '', leaf: 'x-a', messages: [{}, { model: null }] })
})
