/** Apart from the code around it: every page asks whether there is a question of the sign-in page. */

/** Begins as the keys of drafts do: signing out deletes them all. */
export const PENDING_QUESTION_KEY = 'draft:question'

/** Typed in this browser, or brought by an opened link: the cookie of contract/pending-question.ts, with any prefix. */
export const hasPendingQuestion = () =>
  localStorage.getItem(PENDING_QUESTION_KEY) !== null || document.cookie.includes('question=')
