import type { MinutesKind } from '#contract/minutes.ts'
import type { MeetingNotes } from '#server/db/schema.ts'
import { cutAtWord } from '#server/lib/whole-words.ts'
import { formatClock } from '../transcriptions/money.ts'
import { createAlike, SAME_SHARE, shareOf, wordsIn } from './alike.ts'

type Task = MeetingNotes['tasks'][number]

const NOT_NAMED = 'не назван'

/**
 * The notes of all parts as those of one meeting. What was said twice is written once, at its first time; nothing else
 * is left out, because no model shortens the lists.
 */
export function joinNotes(parts: readonly MeetingNotes[]): MeetingNotes {
  const given = parts.flatMap((part) => part.tasks)
  const alike = createAlike(given.map(({ what }) => what))
  const tasks: Task[] = []
  for (const task of given) {
    const known = alike.find(task.what, (i) => isSamePerson(tasks[i]?.who ?? '', task.who))
    const kept = known === null ? undefined : tasks[known]
    if (kept) {
      kept.who ||= task.who
      kept.due ||= task.due
      kept.second ??= task.second
    } else {
      alike.add(task.what)
      tasks.push({ ...task })
    }
  }
  return {
    summary: parts.flatMap(({ summary }) => summary || []).join('\n\n'),
    decisions: once(parts.flatMap((part) => part.decisions)),
    tasks,
    questions: once(parts.flatMap((part) => part.questions)),
  }
}

function once<Item extends { text: string }>(items: Item[]): Item[] {
  const alike = createAlike(items.map(({ text }) => text))
  return items.filter(({ text }) => {
    const isNew = alike.find(text) === null
    if (isNew) alike.add(text)
    return isNew
  })
}

const isSamePerson = (a: string, b: string) => a === '' || b === '' || shareOf(wordsIn(a), wordsIn(b)) >= SAME_SHARE

/** What the last step reads: at most so many symbols, however long the meeting was, with something of each part. */
export function lastStepInput(step: 'summary' | 'letter', parts: readonly MeetingNotes[], most: number): string {
  const each = Math.max(MIN_CUT, Math.floor(most / Math.max(1, parts.length)) - 2)
  if (step === 'summary') return parts.flatMap(({ summary }) => cutAtWord(summary, each) || []).join('\n\n')
  const notes = joinNotes(parts)
  for (const longest of [MAX_CUT, 300, 150, 80, MIN_CUT]) {
    const text = writeMinutes(shortened(notes, longest))
    if (text.length <= most) return text
  }
  return writeMinutes(shortened(notes, MIN_CUT)).slice(0, most)
}

const MAX_CUT = 3000
const MIN_CUT = 40

function shortened({ summary, decisions, tasks, questions }: MeetingNotes, most: number): MeetingNotes {
  const cut = <Item extends { text: string }>(item: Item) => ({ ...item, text: cutAtWord(item.text, most) })
  return {
    summary: summary
      .split('\n\n')
      .map((paragraph) => cutAtWord(paragraph, most))
      .join('\n\n'),
    decisions: decisions.map(cut),
    tasks: tasks.map((task) => ({ ...task, what: cutAtWord(task.what, most) })),
    questions: questions.map(cut),
  }
}

/** Minutes and the list of tasks are written by code, so that no item and no time is lost on the way. */
export function writeDocument(kind: MinutesKind, notes: MeetingNotes, written: string | null): string {
  if (kind === 'letter') return written ?? ''
  if (kind === 'tasks') return writeTasks(notes)
  return writeMinutes({ ...notes, summary: written ?? notes.summary })
}

export function writeMinutes({ summary, decisions, tasks, questions }: MeetingNotes): string {
  return [
    section('Кратко', summary === '' ? 'Кратко пересказать нечего.' : plain(summary)),
    section('Решения', numbered(decisions) || 'Решений не прозвучало.'),
    section('Поручения', table(tasks) || 'Поручений не прозвучало.'),
    section('Открытые вопросы', bullets(questions) || 'Открытых вопросов не осталось.'),
  ].join('\n\n')
}

const section = (head: string, body: string) => `## ${head}\n\n${body}`

const time = (second: number | null) => (second === null ? '' : `[${formatClock(second)}]`)

const withTime = ({ text, second }: { text: string; second: number | null }) =>
  [inline(text), time(second)].filter(Boolean).join(' ')

const numbered = (items: MeetingNotes['decisions']) => items.map((item, i) => `${i + 1}. ${withTime(item)}`).join('\n')
const bullets = (items: MeetingNotes['questions']) => items.map((item) => `- ${withTime(item)}`).join('\n')

function table(tasks: readonly Task[]): string {
  if (tasks.length === 0) return ''
  const row = (cells: string[]) => `| ${cells.join(' | ')} |`
  const rows = tasks.map(({ who, what, due, second }) =>
    row([cell(who || NOT_NAMED), cell(what), cell(due || NOT_NAMED), time(second) || '—']),
  )
  return [row(['Кто', 'Что', 'Срок', 'Время']), row(['---', '---', '---', '---']), ...rows].join('\n')
}

const cell = (text: string) => inline(text).replaceAll('|', '\\|')

/** Tasks of one person stand together, in the order in which the people were first named. */
function writeTasks({ tasks }: MeetingNotes): string {
  if (tasks.length === 0) return 'Поручений в записи не прозвучало.'
  const people = new Map<string, { name: string; tasks: Task[] }>()
  for (const task of tasks) {
    const key = [...wordsIn(task.who)].join(' ')
    const person = people.get(key) ?? { name: task.who, tasks: [] }
    person.tasks.push(task)
    people.set(key, person)
  }
  const named = [...people].filter(([key]) => key !== '')
  const others = [...people].filter(([key]) => key === '')
  return [...named, ...others]
    .map(([, person]) => section(inline(person.name) || 'Исполнитель не назван', person.tasks.map(taskLine).join('\n')))
    .join('\n\n')
}

function taskLine({ what, due, second }: Task): string {
  const until = due === '' ? '' : ` — срок: ${inline(due)}`
  return `- [ ] ${[`${inline(what)}${until}`, time(second)].filter(Boolean).join(' ')}`
}

/** Words of a model inside of our own markup: none of their signs begins a link, an image, a list or a heading. */
const inline = (text: string) =>
  text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_[\]<>]/g, '\\$&')
    .replace(/^[-+=|~#]/, '\\$&')
    .replace(/^(\d+)([.)])/, '$1\\$2')

const plain = (text: string) =>
  text
    .split(/\n{2,}/)
    .map(inline)
    .filter(Boolean)
    .join('\n\n')
