/** Apart from the code around it: every page asks whether there is a question of the sign-in page. */

/** Begins as the keys of drafts do: signing out deletes them all. */
export const ASKED_QUESTION_KEY = 'draft:asked'

/** Typed in this browser, or brought by an opened link: the cookie of contract/asked-question.ts, with any prefix. */
export const hasAskedQuestion = () =>
  localStorage.getItem(ASKED_QUESTION_KEY) !== null || document.cookie.includes('asked=')
