/**
 * What the pretend model is asked to say, written into the question: `stream:200x20#ab12` is 200 pieces 20 ms apart,
 * `markdown:1000x10#ab12` the same of a Markdown answer. Whoever knows the order knows every letter of the answer.
 */
export interface Order {
  kind: 'stream' | 'markdown'
  pieces: number
  gapMs: number
  /** Whose answer it is: no two texts of a run are alike, so a mix-up of streams cannot go unseen. */
  nonce: string
}

const PIECE = 20

/** What an answer ends with, and nothing else does. */
export const lastWords = (nonce: string) => `Здесь кончается ответ ${nonce}.`

export const writeOrder = ({ kind, pieces, gapMs, nonce }: Order) => `${kind}:${pieces}x${gapMs}#${nonce}`

/** Only a question that begins with an order is one: a title is asked for with the question quoted inside. */
export function readOrder(question: string): Order | null {
  const found = /^(stream|markdown):(\d+)x(\d+)#([\w-]+)/.exec(question)
  if (!found) return null
  const [, kind, pieces, gapMs, nonce = ''] = found
  return { kind: kind === 'markdown' ? 'markdown' : 'stream', pieces: Number(pieces), gapMs: Number(gapMs), nonce }
}

/** The answer, cut as it will be sent. */
export function piecesOf({ kind, pieces, nonce }: Order): string[] {
  if (kind === 'stream') return Array.from({ length: pieces }, (_, i) => `слово ${i} для ${nonce} `)
  const end = `\n\n${lastWords(nonce)}`
  const text = markdown(pieces * PIECE - end.length) + end
  return Array.from({ length: pieces }, (_, i) => text.slice(i * PIECE, (i + 1) * PIECE))
}

export const textOf = (order: Order) => piecesOf(order).join('')

/** Markdown of exactly so many letters, with all that answers usually have. */
export function markdown(emails: number): string {
  let text = ''
  for (let no = 1; text.length < emails; no++) text += section(no)
  return text.slice(0, emails)
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
