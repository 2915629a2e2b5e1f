import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { tooLong, type WorstCase, worstTexts } from '#contract/testing/worst-texts.ts'
import { MAX_MESSAGE } from '#contract/threads.ts'
import { MAX_MASKED_NAMES } from '#contract/users.ts'
import { measureSound } from '#server/audio/duration.ts'
import { soundOf } from '#server/audio/sound.ts'
import { maskTexts } from '#server/features/answers/masking.ts'
import { embeddingsBody } from '#server/features/openai/embeddings.ts'
import { voiceSamples } from '#server/features/transcriptions/voices.ts'
import { readBody } from '#server/files/docx/body.ts'
import { createLabels } from '#server/files/docx/numbering.ts'
import { readStyles } from '#server/files/docx/styles.ts'
import { joinWords, wordRule } from '#server/files/hyphens.ts'
import { tableText } from '#server/files/markdown-table.ts'
import { readOdfBody, stylesIn } from '#server/files/odf/body.ts'
import { unlockAttachments } from '#server/files/pdf/open.ts'
import { pageText, shownPage } from '#server/files/read-html.ts'
import { readRtf } from '#server/files/read-rtf.ts'
import { tidy } from '#server/files/text.ts'
import { readXml } from '#server/files/xml.ts'
import { makeVectors } from '#server/llm/vectors/make.ts'

/** The same for recordings, vectors and papers: bytes of files and of providers. */

const MOST_MS = 50

const manyForms = Array.from({ length: MAX_MASKED_NAMES }, (_, n) => `Анна Петровна ${'Иванова '.repeat(n % 4)}`)

const VECTORS = 2048
const batchOf = (vector: string) => () => {
  const embedding = (_: unknown, index: number) => `{"object":"embedding","index":${index},"embedding":${vector}}`
  return `{"data":[${Array.from({ length: VECTORS }, embedding).join(',')}]}`
}
const numbers = new Float32Array(1536).map((_, n) => Math.sin(n))
const batches = {
  numbers: batchOf(`[${numbers.join(',')}]`),
  base64: batchOf(`"${Buffer.from(numbers.buffer).toString('base64')}"`),
}
const BLOCK = 1024 * 1024

/** As an answer comes from the provider and goes to the program. */
async function passVectors(answer: string, form: 'float' | 'base64') {
  const blocks: Uint8Array<ArrayBuffer>[] = []
  for (let at = 0; at < answer.length; at += BLOCK) {
    const block = new Uint8Array(Math.min(BLOCK, answer.length - at))
    Buffer.from(block.buffer).write(answer.slice(at, at + BLOCK), 'latin1')
    blocks.push(block)
    await turn()
  }
  const data = await makeVectors({ blocks, count: VECTORS, form }, 'anna', new AbortController().signal)
  if (!data) throw new Error('The batch was not read')
  for await (const _ of embeddingsBody('m', data, { symbols: { charged: 0, left: 0 }, tokens: 0 })) await turn()
}

/** Beginnings of recordings, and the bytes that cost the most behind each. */
const sounds: Record<string, [mime: string, head: string, part: string]> = {
  'MP3 frames': ['audio/mpeg', '', '\xff\xf3\x14\0'.padEnd(24, '\0')],
  'almost MP3 frames': ['audio/mpeg', '', '\xff\xfb\x90'],
  'the least AAC': ['audio/aac', '', '\xff\xf1\x50\0\0\xe0\0'],
  'signs of frames': ['audio/flac', 'fLaC'.padEnd(42, '\0'), '\xff'],
  'almost FLAC frames': ['audio/flac', 'fLaC'.padEnd(42, '\0'), '\xff\xf8\xc9\0\0'],
  'empty AMR': ['audio/amr', '#!AMR\n', '\x7c'],
  'no AMR': ['audio/amr', '#!AMR\n', '\x4c'],
  'empty Ogg pages': ['audio/ogg', '', 'OggS'.padEnd(27, '\0')],
  'beginnings of Ogg pages': ['audio/ogg', '', 'Ogg'],
  'Ogg packets of a byte': ['audio/ogg', '', `OggS${'\0'.repeat(22)}\xff${'\x01'.repeat(255)}${'\x78'.repeat(255)}`],
  'empty WebM elements': ['audio/webm', '\x1a\x45\xdf\xa3\x80', '\xec\x80'],
  'WebM tracks': ['audio/webm', '\x1a\x45\xdf\xa3\x80', '\xae\x80'],
  'WebM blocks': ['audio/webm', '\x1a\x45\xdf\xa3\x80', '\xa3\x85\x81\0\0\x06\xff'],
  'WebM packets that share a block': [
    ...(['audio/webm', '\x1a\x45\xdf\xa3\x80\xae\x8b\xd7\x81\x01\x86\x86A_OPUS'] as const),
    `\xa3\x43\x03\x81\0\0\x04\xfe${'\x78'.repeat(766)}`,
  ],
  'tracks of MP4': ['audio/mp4', '\xff\xff\xff\xffmoov', '\0\0\0\x08trak'],
  'fragments of MP4': [
    ...(['audio/mp4', '\0\0\0\x08moov'] as const),
    '\0\0\0\x20moof\0\0\0\x18traf\0\0\0\x10trun\0\0\0\0\0\0\0\x01',
  ],
  'boxes of MP4': ['audio/mp4', '', '\0\0\0\x08free'],
}

/** A segment of three seconds for each character. */
const spoken = (text: string) =>
  [...text].map((who, at) => ({ start: at * 2.9, end: at * 2.9 + 3, text: '', speaker: who === 'я' ? `s${at}` : who }))

/** As a request brings it: whole, in memory. */
const measured = (text: string) =>
  measureSound(
    soundOf(Buffer.from(text.slice(text.indexOf(' ') + 1), 'latin1')),
    text.slice(0, text.indexOf(' ')),
  ).catch(() => null)

const cases: WorstCase[] = [
  { name: 'vectors for a program, as numbers', limit: 0, texts: batches, run: (text) => passVectors(text, 'float') },
  { name: 'vectors for a program, as base64', limit: 0, texts: batches, run: (text) => passVectors(text, 'base64') },
  {
    ...{ name: 'texts for vectors that are masked', limit: MAX_MESSAGE },
    texts: { names: worstTexts['"Анна Петровна "'] ?? String, phones: worstTexts['"8 "'] ?? String },
    run: (text) => maskTexts({ names: manyForms }, Array(5).fill(text), new AbortController().signal),
  },
  {
    ...{ name: 'the length of a recording', limit: 25_000_000, run: measured },
    texts: Object.fromEntries(
      Object.entries(sounds).map(([name, [mime, head, part]]) => [
        name,
        (length: number) => `${mime} ${head}${part.repeat(length / part.length)}`,
      ]),
    ),
  },
  {
    ...{ name: 'voices of a meeting', limit: 20_000, run: (text) => voiceSamples([{ segments: spoken(text) }], [0]) },
    texts: {
      'two who talk at once': (length) => 'ab'.repeat(length / 2),
      'many people': (length) => 'я'.repeat(length),
    },
  },
  // These run in the thread that reads files; texts of a usual page.
  { name: 'a text without invisible characters', limit: 20_000, run: tidy },
  { name: 'a table for a model', limit: 20_000, run: (text) => tableText([[text, 'a'], text.split(' ')]) },
  { name: 'words cut by a line end', limit: 20_000, run: (text) => joinWords(text.split('\n'), wordRule([text])) },
  {
    name: 'an RTF document',
    limit: 20_000,
    run: (text) => readRtf(Buffer.from(`{\\rtf1 ${text.replace(/[{}]/g, '')}}`)),
  },
  {
    ...{ name: 'an RTF document with groups', limit: 10_000 },
    run: (text) => readRtf(Buffer.from(`{\\rtf1 ${text}}`)),
    texts: {
      'open notes': (length) => '{\\footnote a'.repeat(480) + 'a'.repeat(length),
      notes: (length) => '{\\footnote a}'.repeat(length / 14),
      'nested formulas': (length) => `{\\*\\moMath ${'{\\mf '.repeat(400)}${'a'.repeat(length)}${'}'.repeat(401)}`,
      labels: (length) => '{\\listtext 1.\\tab}'.repeat(length / 21),
      cells: (length) => '\\trowd a\\cell'.repeat(length / 14),
    },
  },
  {
    ...{ name: 'the body of a Word document', limit: 50_000 },
    run: (text) => readBody(text, { styles: readStyles('') }),
    texts: {
      tables: (length) => '<tbl><tr><tc>'.repeat(160) + '<p><r><t>a</t></r></p>'.repeat(length / 22),
      'open paragraphs': (length) => '<p><pPr><rPr><del/></rPr></pPr><r><t>a</t></r></p>'.repeat(length / 50),
      formulas: (length) => `<p><oMath>${'<f><num>'.repeat(200)}${'<r><t>a</t></r>'.repeat(length / 15)}</oMath></p>`,
      'wide cells': (length) => `<tbl>${'<tr><tc><gridSpan val="64"/></tc></tr>'.repeat(length / 38)}</tbl>`,
      'one style each': (length) =>
        Array.from({ length: length / 60 }, (_, n) => `<p><pPr><pStyle val="${n}"/></pPr><r><t>a</t></r></p>`).join(''),
    },
  },
  {
    ...{ name: 'numbers of clauses', limit: 100_000 },
    run: (text) => {
      const labels = createLabels(text, readStyles(''))
      for (let n = 0; n < 5000; n += 1) labels({ style: null, numId: '1', depth: n % 9 })
    },
    texts: {
      'a long label': (length) =>
        `<abstractNum abstractNumId="0"><lvl ilvl="0"><lvlText val="${'%1'.repeat(length / 2)}"/></lvl></abstractNum><num numId="1"><abstractNumId val="0"/></num>`,
      'large numbers': () =>
        '<abstractNum abstractNumId="0"><lvl ilvl="0"><start val="2147483647"/><numFmt val="upperLetter"/><lvlText val="%1%1%1%1"/></lvl></abstractNum><num numId="1"><abstractNumId val="0"/></num>',
      'a link to itself': () =>
        '<abstractNum abstractNumId="0"><numStyleLink val="a"/></abstractNum><num numId="1"><abstractNumId val="0"/></num>',
    },
  },
  {
    ...{ name: 'an OpenDocument text', limit: 25_000 },
    run: (text) => readOdfBody(`<body>${text}</body>`, { styles: stylesIn(''), formulaOf: () => '' }),
    texts: {
      lists: (length) => '<list><list-item>'.repeat(200) + '<p>a</p>'.repeat(length / 8),
      notes: (length) => '<p>a<note><note-body><p>a</p></note-body></note></p>'.repeat(length / 52),
      tables: (length) => '<table><table-row><table-cell>'.repeat(150) + '<p>a</p>'.repeat(length / 8),
    },
  },
  {
    ...{ name: 'what a page hides and strikes out', limit: 10_000 },
    run: (text) => pageText(shownPage(text, false)),
    texts: {
      'long styles': (length) => `<p style="${'text-decoration:'.repeat(length / 16)}">a`,
      'open comments of styles': (length) => `<style>${'/*'.repeat(length / 2)}</style>`,
    },
  },
  { name: 'the XML of a document', limit: 20_000, run: (text) => readXml(`<a>${text.replaceAll('<', '')}</a>`, {}) },
  {
    name: 'the lock of a PDF',
    limit: 100_000,
    run: (text) => unlockAttachments(Buffer.from(`/Encrypt 1 0 R ${text}`)),
  },
]

describe(`nothing else waits longer than ${MOST_MS} ms for`, () => {
  test.each(cases)('$name (S10.523, S10.524, S10.1091)', { timeout: 120_000 }, async (each) => {
    expect(await tooLong(each, MOST_MS)).toEqual([])
  })
})
