/**
 * Queries by role compute the style of every element on the way, and jsdom matches each rule of its own style sheet
 * each time: a third of the time of component tests. Only `display` and `visibility` are read, which depend on little
 * without the styles of the product.
 */

const quickened = new WeakSet<object>()
/** The attributes that affect `display` in the style sheet of jsdom. */
const DECIDING = ['hidden', 'open', 'type', 'style']

export function quickenComputedStyle(): void {
  const view = document.defaultView
  if (!view || quickened.has(view)) return
  quickened.add(view)
  const slow = view.getComputedStyle.bind(view)
  const displays = new Map<string, string>()

  function displayOf(element: Element): string {
    if (element.hasAttribute('popover')) return slow(element).display
    const key = [element.localName, ...DECIDING.map((name) => element.getAttribute(name) ?? '–')].join('|')
    const known = displays.get(key)
    if (known !== undefined) return known
    const { display } = slow(element)
    displays.set(key, display)
    return display
  }

  function visibilityOf(element: Element): string {
    for (let at: Element | null = element; at; at = at.parentElement)
      if (at.hasAttribute('hidden') || at.getAttribute('style')?.includes('visibility')) return slow(element).visibility
    return 'visible'
  }

  const quick: Record<string, (element: Element) => string> = { display: displayOf, visibility: visibilityOf }

  view.getComputedStyle = (element, pseudo) => {
    if (pseudo) return slow(element, pseudo)
    let style: CSSStyleDeclaration | undefined
    const whole = () => (style ??= slow(element))
    const getPropertyValue = (name: string) => quick[name]?.(element) ?? whole().getPropertyValue(name)
    return new Proxy({} as CSSStyleDeclaration, {
      get: (_, name) => {
        if (name === 'getPropertyValue') return getPropertyValue
        const found = typeof name === 'string' ? quick[name] : undefined
        if (found) return found(element)
        const value: unknown = Reflect.get(whole(), name)
        return typeof value === 'function' ? value.bind(whole()) : value
      },
    })
  }
}
