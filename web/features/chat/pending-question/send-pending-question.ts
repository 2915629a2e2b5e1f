import type { QueryClient } from '@tanstack/react-query'
import { navigate } from 'wouter/use-browser-location'
import { type PendingQuestion, pendingQuestionApi, QUESTION_COOKIE } from '#contract/pending-question.ts'
import { api } from '#web/lib/api.ts'
import { notify } from '#web/lib/notify.ts'
import { paths } from '#web/lib/paths.ts'
import { type TypedQuestion, typedQuestion } from '#web/lib/pending-question.ts'
import { askedHere, noteAskedHere, PENDING_QUESTION_KEY } from '#web/lib/pending-question-key.ts'
import { withLock } from '#web/lib/with-lock.ts'
import { threadQuery } from '../queries.ts'
import { sendMessage } from '../sending/send.ts'
import { appendToDraft } from '../state/drafts.ts'
import { outbox } from '../state/outbox.ts'
import { noteQuestionDraft } from './question-draft.ts'

const HOUR_MS = 3_600_000

/** Older text may be that of another user of this browser: it is shown before it is sent. */
export const isSentAtOnce = ({ at }: Pick<TypedQuestion, 'at'>, now: number): boolean => now - at < HOUR_MS && at <= now

/** Whether the question of a link is the one that was typed in this browser. */
export const isTypedHere = (typed: TypedQuestion | null, { id }: PendingQuestion): boolean =>
  typed !== null && (typed.id === id || typed.linkedId === id)

/**
 * After signing in: sends the question that was typed in this browser, and puts one that came with a link from another
 * browser into the field. Under a lock, because the page of the sent email may sign in at the same time.
 */
export function sendPendingQuestion(client: QueryClient, userId: string): Promise<void> {
  return withLock('pending-question', async () => {
    const typed = typedQuestion()
    const asked = askedHere()
    noteAskedHere(null)
    if (typed) takeTyped(client, userId, typed)
    else if (asked && isAtHome()) await openIfSent(client, asked)
    if (!document.cookie.includes(`${QUESTION_COOKIE}=`)) return
    const linked = await api(pendingQuestionApi.read, {})
    const isKnown = linked && (isTypedHere(typed, linked) || (await openIfSent(client, linked.threadId)))
    if (linked && !isKnown) putIntoField(userId, linked)
    await api(pendingQuestionApi.forget, {})
  })
}

/** Deleted last: a message that is twice in the outbox is sent once, a lost one is lost. */
function takeTyped(client: QueryClient, userId: string, typed: TypedQuestion) {
  if (isSentAtOnce(typed, Date.now())) send(client, userId, typed)
  else putIntoField(userId, typed)
  localStorage.removeItem(PENDING_QUESTION_KEY)
}

function send(client: QueryClient, userId: string, { id, threadId, text }: PendingQuestion) {
  const newThread = { modelId: null, assistantId: null }
  sendMessage(client, { id, userId, threadId, content: text.trim(), files: [], newThread })
  const open = () => navigate(paths.thread(threadId))
  if (isAtHome()) navigate(paths.thread(threadId), { replace: true })
  else notify.info({ title: 'Ваш вопрос отправлен', action: { label: 'Открыть чат', onClick: open } })
}

/** Another tab or device has sent the question: its chat is shown here too. False when there is no such chat. */
async function openIfSent(client: QueryClient, threadId: string): Promise<boolean> {
  const isWaiting = outbox()
    .all()
    .some((item) => item.threadId === threadId)
  const isSent = isWaiting || (await client.ensureQueryData(threadQuery(client, threadId)).then(Boolean, () => false))
  if (isSent && isAtHome()) navigate(paths.thread(threadId), { replace: true })
  return isSent
}

function putIntoField(userId: string, question: PendingQuestion) {
  noteQuestionDraft(userId, question)
  appendToDraft(userId, null, question.text)
  const open = () => navigate(paths.home())
  if (!isAtHome()) notify.info({ title: 'Ваш вопрос ждёт в новом чате', action: { label: 'Открыть', onClick: open } })
}

/** Another page was requested before signing in: it stays. */
const isAtHome = () => location.pathname + location.search === paths.home()
