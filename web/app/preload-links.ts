import { preloadPlace } from './screen-parts.ts'

/** A link that is pointed at, focused or touched will probably be followed. */
export function preloadLinks(): () => void {
  const signs = ['pointerover', 'focusin', 'touchstart'] as const
  for (const sign of signs) document.addEventListener(sign, preloadTarget, { passive: true })
  return () => {
    for (const sign of signs) document.removeEventListener(sign, preloadTarget)
  }
}

function preloadTarget({ target }: Event) {
  const link = target instanceof Element ? target.closest('a') : null
  if (link?.href && link.origin === location.origin) preloadPlace(link.pathname)
}
