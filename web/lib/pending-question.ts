import { MAX_PENDING_QUESTION, type PendingQuestion } from '#contract/pending-question.ts'
import { noteAskedHere, PENDING_QUESTION_KEY } from './pending-question-key.ts'
import { hasFields, readJson } from './stored.ts'

/**
 * The question typed on the sign-in page, stored in this browser until a user signs in here. The ids are chosen while
 * typing, so that a repeated sending from any device is the same message.
 */

export interface TypedQuestion extends PendingQuestion {
  at: number
  /** The id under which it went along with a sign-in link. */
  linkedId?: string
}

export function typedQuestion(): TypedQuestion | null {
  const stored = readJson(localStorage.getItem(PENDING_QUESTION_KEY))
  const text = 'string'
  return hasFields<TypedQuestion>(stored, { id: text, threadId: text, text, at: 'number' }) ? stored : null
}

/** A text that went along with a link may be sent elsewhere: another text is another question. */
export function nextQuestion(known: TypedQuestion | null, text: string): TypedQuestion {
  const isSame = known && (known.text === text || known.linkedId !== known.id)
  const ids = isSame ? known : { ...known, id: randomId(), threadId: randomId() }
  return { ...ids, text, at: Date.now() }
}

/** Not `newId`: the chat has it in its first files, which would load those of this page to share it. */
const randomId = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), hexOf).join('')
const hexOf = (byte: number) => byte.toString(16).padStart(2, '0')

export function writeQuestion(text: string): void {
  const question = text.trim() === '' ? null : nextQuestion(typedQuestion(), text)
  noteAskedHere(question?.threadId ?? null)
  if (question) store(question)
  else localStorage.removeItem(PENDING_QUESTION_KEY)
}

function store(question: TypedQuestion): void {
  try {
    localStorage.setItem(PENDING_QUESTION_KEY, JSON.stringify(question))
  } catch {
    // The storage is full or forbidden: the question goes along with the link only.
  }
}

/** What goes along with a sign-in link; null for no question, and for one that is too long. */
export function questionForLink(): PendingQuestion | null {
  const typed = typedQuestion()
  if (!typed || typed.text.length > MAX_PENDING_QUESTION) return null
  const { id, threadId, text } = typed
  noteAskedHere(threadId)
  store({ ...typed, linkedId: id })
  return { id, threadId, text }
}
