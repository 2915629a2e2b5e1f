/* The service worker has shown a layout that does not match the server's response, so the page is loaded again. */
const field = document.querySelector('#shell textarea')
const typed = field ? field.value.trim() : ''
try {
  /* What was typed into the layout becomes a draft (web/features/chat/state/drafts.ts). */
  const person = localStorage.getItem('person')
  if (typed && person) {
    const key = `draft:${person}:${location.pathname.split('/')[2] ?? 'new'}`
    const draft = JSON.parse(localStorage.getItem(key)) ?? { text: '', files: [] }
    const text = [draft.text.trimEnd(), typed].filter(Boolean).join('\n\n')
    localStorage.setItem(key, JSON.stringify({ ...draft, text, at: Date.now() }))
    document.getElementById('shell').dataset.kept = 'yes'
  }
} catch {
  /* Storage may be forbidden. */
}
location.reload()
