import { countSymbols } from '#contract/billing.ts'
import type { Model } from '#contract/models.ts'
import { type HistoryItem, planSummary, type Summary, type SummaryPlan } from '#contract/summaries.ts'
import type { Message } from '#contract/threads.ts'
import type { Settings } from '#contract/users.ts'
import type { ThreadData } from '../state/thread-data.ts'
import { filesSize, promptCapacity } from './estimate.ts'

/** The part of a chat that is sent with a question: a summary of its beginning, and the messages after it. */

type LoadedThread = Pick<ThreadData, 'Messages' | 'Summaries' | 'olderCursor'>
type HistorySettings = Pick<Settings, 'threadHistory' | 'threadHistoryLimit'>

export interface SentHistory {
  history: Message[]
  summary: Summary | null
}

export function sentHistory(data: LoadedThread, settings: HistorySettings | undefined, without?: string): SentHistory {
  const { Messages, Summaries = [] } = data
  const used =
    settings?.threadHistory === false ? undefined : Summaries.find((summary) => isUsed(data, summary, without))
  if (!used) return { history: Messages, summary: null }
  const last = Messages.findIndex(({ id }) => id === used.coversUntil)
  return { history: Messages.slice(last + 1), summary: used }
}

/** A summary whose last message is not loaded covers older messages, unless the whole branch is loaded. */
function isUsed(
  { Messages, olderCursor }: LoadedThread,
  { id, stale, coversUntil }: Summary,
  without?: string,
): boolean {
  if (stale || id === without) return false
  return olderCursor !== null || Messages.some((message) => message.id === coversUntil)
}

/** The summary in use, and stale ones after it. */
export function shownSummaries(summaries: Summary[]): Summary[] {
  const used = summaries.findIndex(({ stale }) => !stale)
  return used < 0 ? summaries : summaries.slice(0, used + 1)
}

/** What a summary would cover and cost now; `instead` is the summary that it would replace. */
export function planFor(
  data: LoadedThread,
  settings: HistorySettings,
  model: Model,
  instead?: string,
): SummaryPlan | null {
  if (model.kind !== 'text' || !settings.threadHistory) return null
  const { history, summary } = sentHistory(data, settings, instead)
  return planSummary(history.slice(-settings.threadHistoryLimit).map(toItem(model)), {
    summary: summary?.symbols ?? 0,
    capacity: promptCapacity(model),
    isReplacement: instead !== undefined,
  })
}

const toItem =
  ({ vision }: Pick<Model, 'vision'>) =>
  ({ id, role, content, files }: Message): HistoryItem => {
    const text = countSymbols(content) + filesSize(files, false)
    return { id, role, text, images: filesSize(files, vision) - filesSize(files, false) }
  }

/** Whether the history includes messages that are not loaded. */
export function needsOlder(data: LoadedThread, settings: HistorySettings): boolean {
  if (data.olderCursor === null || !settings.threadHistory) return false
  const { history, summary } = sentHistory(data, settings)
  const isWhole = summary !== null && history.length < data.Messages.length
  return !isWhole && history.length < settings.threadHistoryLimit
}
