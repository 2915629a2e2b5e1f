import { countSymbols, price, type Rates } from '#contract/billing.ts'
import type { Answer } from './answers.ts'
import type { FakeProvider, Run } from './model.ts'
import { models } from './people.ts'
import type { Reading } from './reading.ts'
import { differences, writeSpec } from './text.ts'

/** The problems found after a scenario; all counts are 0 when it passed. */
export interface Findings {
  lost: number
  duplicated: number
  charges: number
  failed: number
  stuck: number
  errors: number
  details: string[]
}

/** Postgres, or the embedded database. */
interface Database {
  query: <Found extends object>(statement: string, values?: unknown[]) => Promise<{ rows: Found[] }>
}

interface AnswerRow {
  id: string
  parent_id: string
  status: Answer['allowed'][number]
  content: string
  charged: number
}

export const noFindings = (): Findings => ({
  lost: 0,
  duplicated: 0,
  charges: 0,
  failed: 0,
  stuck: 0,
  errors: 0,
  details: [],
})

export const isClean = ({ lost, duplicated, charges, failed, stuck, errors }: Findings) =>
  lost + duplicated + charges + failed + stuck + errors === 0

/** Compares the text of the model, of the readers and of the database, and the charge. */
export async function judgeAnswers(db: Database, provider: FakeProvider, answers: Answer[]): Promise<Findings> {
  const findings = noFindings()
  const questions = answers.map(({ questionId }) => questionId)
  const { rows } = await db.query<AnswerRow>(
    `select id, parent_id, status, content, charged::int from messages where parent_id = any($1)`,
    [questions],
  )
  const posted = await db.query<{ message_id: string; symbols: number }>(
    `select message_id, -sum(symbols)::int as symbols from ledger where message_id = any($1) group by 1`,
    [rows.map(({ id }) => id)],
  )
  const ledger = new Map(posted.rows.map(({ message_id, symbols }) => [message_id, symbols]))
  for (const answer of answers) {
    const row = rows.find(({ parent_id }) => parent_id === answer.questionId)
    judgeOne(findings, answer, row, row ? (ledger.get(row.id) ?? 0) : 0, provider.runsOf(answer.spec.nonce))
  }
  return findings
}

function judgeOne(findings: Findings, answer: Answer, row: AnswerRow | undefined, posted: number, runs: Run[]) {
  const { spec, errors, readings } = answer
  const report = (text: string) => findings.details.push(`${spec.nonce}: ${text}`)
  for (const error of [...errors, ...readings.flatMap((reading) => reading.errors)]) {
    findings.errors += 1
    report(error)
  }
  if (!row) {
    findings.failed += 1
    report(`ответа нет (${readings.map(({ refused }) => refused).join()})`)
    return
  }
  const isAllowed = answer.allowed.includes(row.status)
  if (!isAllowed) {
    findings.failed += 1
    report(`кончился как ${row.status}, ${row.content.length} символов`)
  }
  const chain = chainOf(row.content, runs)
  judgeText(findings, answer, row, chain, isAllowed, report)
  judgeCharge(findings, answer, row, posted, chain, report)
  for (const reading of readings) judgeReading(findings, answer, row, reading, report)
}

/** The runs that a stored text consists of, oldest first. */
function chainOf(content: string, runs: Run[]): Run[] {
  const nonEmpty = runs.filter(({ spoken }) => spoken !== '')
  const last =
    nonEmpty.findLast(({ begun, spoken }) => content === '' || (begun + spoken).startsWith(content)) ?? nonEmpty.at(-1)
  if (!last) return []
  const before = last.begun === '' ? [] : chainOf(last.begun, runs.slice(0, runs.indexOf(last)))
  return [...before, last]
}

type Report = (text: string) => void

function judgeText(
  findings: Findings,
  answer: Answer,
  row: AnswerRow,
  chain: Run[],
  isAllowed: boolean,
  report: Report,
) {
  const last = chain.at(-1)
  const spoken = last ? last.begun + last.spoken : ''
  const { lost, duplicated } = differences(row.content, spoken)
  // Where only a complete answer is allowed, text missing at its end counts as lost too.
  const isWholeWanted = row.status === 'complete' || (!isAllowed && answer.allowed.length === 1)
  const tail = isWholeWanted ? Math.max(0, spoken.length - row.content.length - duplicated + lost) : 0
  const missing = Math.max(lost, tail)
  findings.lost += missing
  findings.duplicated += duplicated
  if (missing + duplicated > 0) report(`в тексте потеряно ${missing}, лишних ${duplicated}`)
}

function judgeCharge(findings: Findings, answer: Answer, row: AnswerRow, posted: number, chain: Run[], report: Report) {
  const question = countSymbols(writeSpec(answer.spec))
  const ends = chain.map((_, i) => chain[i + 1]?.begun.length ?? row.content.length)
  const charged = row.status === 'failed' ? chain.slice(0, -1) : chain
  const expected = charged.reduce((sum, { model, begun }, i) => {
    const output = (ends[i] ?? 0) - begun.length
    return output > 0 ? sum + price(question + begun.length, output, lowerRates(answer.modelId, model)) : sum
  }, 0)
  // A run stopped before its first word costs its question, unless it was one of the day's free stops.
  const last = chain.at(-1)
  const isSilent = row.status === 'stopped' && last !== undefined && row.content.length === last.begun.length
  const silent = isSilent ? price(question + last.begun.length, 0, lowerRates(answer.modelId, last.model)) : 0
  const isRight = posted === expected || posted === expected + silent
  if (row.status !== 'streaming' && (!isRight || row.charged !== posted)) {
    findings.charges += 1
    report(`списано ${posted}, записано ${row.charged}, а верно ${expected} (${row.status})`)
  }
}

/** A fallback model is charged at the lower of both rates. */
function lowerRates(requested: string, spoke: string): Rates {
  const free = { inputRate: 0, outputRate: 0 }
  const [one, other] = [models[requested] ?? free, models[spoke] ?? free]
  return {
    inputRate: Math.min(one.inputRate, other.inputRate),
    outputRate: Math.min(one.outputRate, other.outputRate),
  }
}

function judgeReading(findings: Findings, answer: Answer, row: AnswerRow, reading: Reading, report: Report) {
  if (reading.refused) {
    findings.errors += 1
    return report(`читателю отказано: ${reading.refused}`)
  }
  if (reading.endedAt === null) {
    findings.errors += 1
    return report(`читатель не дождался конца, видит ${reading.shown.length}`)
  }
  if (reading.failed) return
  if (reading.shown !== row.content) {
    const { length } = row.content
    if (reading.shown.length < length) findings.lost += length - reading.shown.length
    else findings.duplicated += Math.max(1, reading.shown.length - length)
    report(`читатель видит ${reading.shown.length}, хранится ${length}`)
  } else if (!answer.mayTakeBack && !row.content.startsWith(reading.grown)) {
    findings.duplicated += Math.max(1, reading.grown.length - row.content.length)
    report(`показано ${reading.grown.length}, потом взято назад до ${row.content.length}`)
  }
}

const STUCK = `
  select 'ответ' as kind, id from messages where status = 'streaming'
  union all select 'удержание', key from holds where state = 'active'
  union all select 'картинка', id from images t
    where coalesce(to_jsonb(t)->>'status', to_jsonb(t)->>'state') = 'making'
  union all select 'запись', id from transcriptions t
    where coalesce(to_jsonb(t)->>'status', to_jsonb(t)->>'state') in ('uploading', 'queued', 'working')
  union all select 'файл', id from files t
    where coalesce(to_jsonb(t)->>'status', to_jsonb(t)->>'state') in ('uploaded', 'reading', 'indexing')`

export async function stuckWork(db: Database): Promise<string[]> {
  const { rows } = await db.query<{ kind: string; id: string }>(STUCK)
  return rows.map(({ kind, id }) => `${kind} ${id}`)
}
