/**
 * The shell is the layout that comes with the page as HTML and is shown until React has rendered the same. boot.js
 * records the user's input in it, which is applied here.
 */

const SHELL_ID = 'shell'

/** The stylesheets that come with the page; the shell has the styles of its first paint in the page itself. */
const waitingStyles = () => [...document.querySelectorAll<HTMLLinkElement>('link[media="not all"]')]

/** A stylesheet that has not come within this time does not hold up the page any longer. */
const STYLES_TIMEOUT_MS = 5000

/** Waits until the styles of the first screen can be applied. */
export async function loadStyles(): Promise<void> {
  const loading = waitingStyles().filter((link) => !link.sheet)
  const ends = loading.map(
    (link) =>
      new Promise((done) => {
        for (const end of ['load', 'error']) link.addEventListener(end, done)
        setTimeout(done, STYLES_TIMEOUT_MS)
      }),
  )
  await Promise.all(ends)
}

/** Called with the first commit: earlier, all styles of the shell would be computed twice. */
export function applyStyles(): void {
  for (const link of waitingStyles()) link.media = 'all'
}

const shell = () => document.getElementById(SHELL_ID)

export interface TypedText {
  text: string
  from: number
  to: number
  /** «Отправить» or Enter was pressed. */
  wantsSend: boolean
}

/** What was typed into the message field of the shell. Null without a shell or a field, and when nothing happened. */
export function takeTyped(): TypedText | null {
  const field = shell()?.querySelector('textarea')
  if (!field || field.value === '') return null
  const typed = { text: field.value, from: field.selectionStart, to: field.selectionEnd }
  const wantsSend = shell()?.dataset.send === 'yes'
  field.value = ''
  return { ...typed, wantsSend }
}

/** How often boot.js has loaded the page again, because its scripts did not come. */
const TRIED = 'scripts-tried'

let wasShown = false

/** False until React has shown a page: only what it needs first is rendered before. */
export const isPageShown = () => wasShown

/**
 * Hides the shell in the commit that shows the screen, before effects measure the page, and clicks in the page what was
 * clicked in it. It is removed later: effects of the commit read what was typed, and removing a focused field makes the
 * browser compute all styles at once, those of the shell too.
 */
export function removeShell(): void {
  wasShown = true
  sessionStorage.removeItem(TRIED)
  const element = shell()
  if (!element) return
  // A button that is held down now will be released over the page, which is no click for the browser.
  const held = element.querySelector<HTMLElement>(':is(button, label):active')
  const pressed = element.dataset.pressed ?? (held && nameOf(held))
  element.hidden = true
  setTimeout(() => element.remove())
  if (pressed) requestAnimationFrame(() => press(pressed))
}

function press(name: string) {
  const controls = document.querySelectorAll<HTMLElement>('#root :is(button, label)')
  const found = [...controls].find((control) => nameOf(control) === name && control.checkVisibility())
  found?.click()
}

const nameOf = (control: HTMLElement) => control.getAttribute('aria-label') ?? control.textContent.trim()
