export const COMPOSER_ID = 'composer'

/** On a touch device focus opens the keyboard, which covers half of the screen. */
export const isTouch = () => matchMedia('(pointer: coarse)').matches

/** Focuses the message field and puts the caret at its end. */
export function focusComposer(): void {
  requestAnimationFrame(() => {
    const field = document.getElementById(COMPOSER_ID)
    if (!(field instanceof HTMLTextAreaElement)) return
    field.focus({ preventScroll: true })
    field.setSelectionRange(field.value.length, field.value.length)
    field.scrollTop = field.scrollHeight
  })
}
