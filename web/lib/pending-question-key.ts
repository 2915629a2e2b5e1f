/** Apart from the code around it: every page asks whether there is a question of the sign-in page. */

/** Begins as the keys of drafts do: signing out deletes them all. */
export const PENDING_QUESTION_KEY = 'draft:question'

/** Typed in this browser, or brought by an opened link: the cookie of contract/pending-question.ts, with any prefix. */
export const hasPendingQuestion = () =>
  localStorage.getItem(PENDING_QUESTION_KEY) !== null || document.cookie.includes('question=')

const ASKED_HERE = 'asked-here'

/** The chat of a question that was typed in this tab: another tab may sign in and send it. */
export const askedHere = () => sessionStorage.getItem(ASKED_HERE)

export function noteAskedHere(threadId: string | null): void {
  if (threadId) sessionStorage.setItem(ASKED_HERE, threadId)
  else sessionStorage.removeItem(ASKED_HERE)
}
