/**
 * What the fake model is asked to say, written into the question: `stream:200x20#ab12` is 200 chunks 20 ms apart,
 * `markdown:1000x10#ab12` the same of a Markdown answer. The spec determines every character of the answer.
 */
export interface AnswerSpec {
  kind: 'stream' | 'markdown'
  chunks: number
  gapMs: number
  /** Unique within a run, so that a mix-up of two streams is noticed. */
  nonce: string
}

const CHUNK = 20

/** The last sentence of an answer, which occurs nowhere else. */
export const lastWords = (nonce: string) => `Здесь кончается ответ ${nonce}.`

export const writeSpec = ({ kind, chunks, gapMs, nonce }: AnswerSpec) => `${kind}:${chunks}x${gapMs}#${nonce}`

/** A spec counts only at the start of a question: the request for a title quotes the question further below. */
export function readSpec(question: string): AnswerSpec | null {
  const found = /^(stream|markdown):(\d+)x(\d+)#([\w-]+)/.exec(question)
  if (!found) return null
  const [, kind, chunks, gapMs, nonce = ''] = found
  return { kind: kind === 'markdown' ? 'markdown' : 'stream', chunks: Number(chunks), gapMs: Number(gapMs), nonce }
}

export function chunksOf({ kind, chunks, nonce }: AnswerSpec): string[] {
  if (kind === 'stream') return Array.from({ length: chunks }, (_, i) => `слово ${i} для ${nonce} `)
  const end = `\n\n${lastWords(nonce)}`
  const text = markdown(chunks * CHUNK - end.length) + end
  return Array.from({ length: chunks }, (_, i) => text.slice(i * CHUNK, (i + 1) * CHUNK))
}

export const textOf = (spec: AnswerSpec) => chunksOf(spec).join('')

/** Markdown of exactly so many characters, with all that answers usually have. */
export function markdown(characters: number): string {
  let text = ''
  for (let no = 1; text.length < characters; no++) text += section(no)
  return text.slice(0, characters)
}

const section = (no: number) => `## Шаг ${no}. Что проверить сначала

Прежде чем менять настройки, посмотрите на **журнал событий** и на *время ответа*: чаще всего виновата одна
медленная выборка. Её видно по команде \`explain analyze\`, а подробности есть в [памятке](https://example.test/${no}).

- включите запись медленных запросов;
- найдите среди них самый частый:
  - по числу вызовов;
  - по общему времени;
- добавьте индекс и **измерьте снова**.

\`\`\`ts
export function slowest(rows: readonly Row[], limit = ${no}): Row[] {
  const byTime = rows.filter((row) => row.calls > 0).sort((a, b) => b.totalMs - a.totalMs)
  return byTime.slice(0, limit)
}
\`\`\`

| Запрос | Вызовов | Время, мс |
| :--- | ---: | ---: |
| список бесед | ${no * 120} | ${no * 3} |
| история | ${no * 45} | ${no * 7} |

> Одно измерение ничего не доказывает: сделайте хотя бы ${no + 2}.

1. Запишите, что было.
2. Измените что-то одно.
3. Сравните.

`
