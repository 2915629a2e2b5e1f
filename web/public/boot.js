/* Runs before the first paint and before the scripts of the page. */
const root = document.documentElement
try {
  /* Set before the first paint, so that theme and folded panel do not flash. */
  const theme = localStorage.getItem('theme')
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme
  if (localStorage.getItem('panel-folded') === 'yes') root.dataset.panel = 'folded'
} catch {
  /* Storage may be forbidden; then the system's choice holds. */
}

/* The shell of the page is shown before its scripts run: input in it is recorded for them (web/lib/shell.ts). */
const shellOf = (event) => (event.target instanceof Element ? event.target.closest('#shell') : null)
const isTouch = () => matchMedia('(pointer: coarse)').matches

function enterSends() {
  try {
    return localStorage.getItem('enter-breaks') !== 'yes'
  } catch {
    return true
  }
}

document.addEventListener('input', (event) => {
  if (!shellOf(event) || event.target.tagName !== 'TEXTAREA') return
  const button = event.target.form.querySelector('[type="submit"]')
  button?.setAttribute('aria-disabled', String(event.target.value.trim() === ''))
})
document.addEventListener('submit', (event) => {
  const shell = shellOf(event)
  if (!shell) return
  event.preventDefault()
  if (event.target.querySelector('textarea')) shell.dataset.send = 'yes'
  else shell.dataset.pressed = event.submitter?.textContent.trim() ?? ''
})
document.addEventListener('click', (event) => {
  const shell = shellOf(event)
  const button = shell && event.target.closest('button[type="button"], label')
  if (!button) return
  /* Opens no file dialog: a file chosen in the shell would be lost with it. */
  event.preventDefault()
  shell.dataset.pressed = button.getAttribute('aria-label') ?? button.textContent.trim()
})
document.addEventListener('keydown', (event) => {
  const shell = shellOf(event)
  if (
    !shell ||
    event.key !== 'Enter' ||
    event.isComposing ||
    event.keyCode === 229 ||
    event.target.tagName !== 'TEXTAREA'
  )
    return
  const { shiftKey, ctrlKey, metaKey } = event
  if (!(ctrlKey || metaKey) && (isTouch() || shiftKey === enterSends())) return
  event.preventDefault()
  shell.dataset.send = 'yes'
})

/* The messages of a chat, drawn by the server, take the place of the skeleton; a chat opens at its end. */
function fillSlots() {
  const drawn = document.getElementById('drawn')
  for (const part of [...(drawn?.content.children ?? [])])
    document.querySelector(`#shell [data-slot=${part.dataset.slot}]`)?.replaceWith(part)
  if (drawn) scrollTo(0, root.scrollHeight)
}

/* Comes after the first frame: what is in the panel of the shell, and the files, which take longer than painting. */
function start() {
  /* One can type at once; on a touch screen that would open the keyboard. Runs twice: a chosen field keeps the focus. */
  if (!isTouch() && document.activeElement === document.body)
    document.querySelector('#shell textarea')?.focus({ preventScroll: true })
  for (const late of document.querySelectorAll('#shell template')) late.replaceWith(late.content)
  for (const link of document.querySelectorAll('link[data-file]')) {
    const { file } = link.dataset
    link.removeAttribute('data-file')
    link.crossOrigin = 'anonymous'
    link.rel = file === 'style' ? 'stylesheet' : 'modulepreload'
    if (file === 'run') run(link.href)
  }
}

function run(address) {
  const script = document.createElement('script')
  script.type = 'module'
  script.src = address
  script.crossOrigin = 'anonymous'
  script.async = false
  document.head.append(script)
}

const LATEST_START_MS = 1000

document.addEventListener('DOMContentLoaded', () => {
  fillSlots()
  /* A page that is not visible has no frames. */
  if (document.hidden || !document.getElementById('shell')) return start()
  requestAnimationFrame(() => setTimeout(start))
  setTimeout(start, LATEST_START_MS)
})
