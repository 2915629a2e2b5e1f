export const COMPOSER_ID = 'composer'

/** On a phone the keyboard would cover what one came to read. */
export const isTouch = () => matchMedia('(pointer: coarse)').matches

/** Into the field of a message, at its end. */
export function focusComposer(): void {
  requestAnimationFrame(() => {
    const field = document.getElementById(COMPOSER_ID)
    if (!(field instanceof HTMLTextAreaElement)) return
    field.focus({ preventScroll: true })
    field.setSelectionRange(field.value.length, field.value.length)
    field.scrollTop = field.scrollHeight
  })
}
