/** Minimal versions of the browser APIs that the product needs and jsdom lacks. */

class NoObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}

export function addBrowserApis(): void {
  Object.assign(globalThis, {
    ResizeObserver: NoObserver,
    IntersectionObserver: NoObserver,
    matchMedia: (media: string) => ({ media, matches: false, addEventListener() {}, removeEventListener() {} }),
    scrollTo: () => undefined,
    CSS: { supports: () => true, escape: (text: string) => text },
  })
  Object.assign(URL, { createObjectURL: () => 'blob:preview', revokeObjectURL: () => undefined })
  Object.assign(Element.prototype, {
    scrollIntoView() {},
    scrollTo() {},
    hasPointerCapture: () => false,
    setPointerCapture() {},
    releasePointerCapture() {},
  })
  addModalDialogs()
}

function addModalDialogs() {
  Object.assign(HTMLDialogElement.prototype, {
    showModal(this: HTMLDialogElement) {
      this.open = true
      this.querySelector<HTMLElement>('input, textarea, select, button')?.focus()
    },
    close(this: HTMLDialogElement) {
      this.open = false
    },
  })
}
