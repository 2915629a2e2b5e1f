import { navigate } from 'wouter/use-browser-location'
import { paths } from '#web/lib/paths.ts'
import { chooseThinking } from '../composer/thinking-choice.ts'
import { chooseWeb, webChoice } from '../composer/web-choice.ts'
import { type Draft, draftKey, drafts } from '../state/drafts.ts'
import { type OutboxItem, outbox } from '../state/outbox.ts'
import { getRun } from '../state/runs.ts'

export function dropMessage(item: OutboxItem): void {
  const { id, threadId, newThread } = item
  // The thread was never created.
  if (newThread && isOnlyMessage(item) && location.pathname === paths.thread(threadId)) {
    const { assistantId } = newThread
    navigate(assistantId ? paths.assistantChat(assistantId) : paths.home(), { replace: true })
  }
  outbox().remove(id)
  const run = getRun(threadId)
  if (run?.questionId === id && !run.messageId) run.disconnect?.()
}

/** Messages returned to each field so far, in the order of writing. */
const returned = new Map<string, OutboxItem[]>()

/** Removes a message and puts its text into the field: after messages written before it, before other text. */
export function returnToDraft(item: OutboxItem): void {
  const threadId = item.newThread && isOnlyMessage(item) ? null : item.threadId
  const key = draftKey(item.userId, threadId)
  const draft = drafts().read(key)
  const earlier = returned.get(key) ?? []
  const rest = textAfter(draft, joinDrafts(earlier.map(toDraft)))
  const items = rest ? [...earlier, item].sort((a, b) => a.at - b.at) : [item]
  returned.set(key, items)
  drafts().write(key, joinDrafts([...items.map(toDraft), rest ?? draft]))
  if (item.thinking) chooseThinking(item.userId, threadId, item.thinking)
  if (item.web) chooseWeb(item.userId, threadId, { ...webChoice(item.userId, threadId), search: item.web })
  dropMessage(item)
}

const toDraft = ({ content, files, imageId }: OutboxItem): Draft => ({ text: content, files, imageId })

function joinDrafts(all: Draft[]): Draft {
  const texts = all.map(({ text }) => text).filter(Boolean)
  const imageId = all.find((draft) => draft.imageId)?.imageId
  return { text: texts.join('\n\n'), files: all.flatMap(({ files }) => files), ...(imageId && { imageId }) }
}

/** The rest of a draft after `start`; null when it does not begin with it, because it was changed or sent meanwhile. */
function textAfter({ text, files, imageId }: Draft, start: Draft): Draft | null {
  const rest = text.slice(start.text.length)
  const isSameText = text.startsWith(start.text) && (start.text === '' || rest === '' || rest.startsWith('\n\n'))
  if (!isSameText || !start.files.every(({ id }, i) => files[i]?.id === id)) return null
  return { text: start.text ? rest.slice(2) : rest, files: files.slice(start.files.length), imageId }
}

function isOnlyMessage({ id, threadId }: OutboxItem): boolean {
  return !outbox()
    .all()
    .some((other) => other.threadId === threadId && other.id !== id)
}
