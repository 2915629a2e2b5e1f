import { lazy } from '#web/lib/lazy.tsx'
import { createTextCache } from '../text-cache.ts'

/** KaTeX with its styles and fonts, loaded with the first formula. */
export const formulaEngine = lazy(async () => {
  const { renderFormula } = await import('./katex-engine.ts')
  await loadFonts()
  return renderFormula
})
export type RenderFormula = Awaited<ReturnType<typeof formulaEngine.load>>

/** Chemistry (8 kB), loaded with the first formula that needs it. */
export const chemistryEngine = lazy(async () => {
  await import('katex/contrib/mhchem')
  return true
})
const CHEMISTRY = /\\(?:ce|pu)(?![a-zA-Z])/

const FONTS = ['1em KaTeX_Main', 'italic 1em KaTeX_Math', '1em KaTeX_Size1', '1em KaTeX_Size2']
const FONTS_MS = 3000

/** Text in a font that is not loaded is invisible: the source is shown until the usual ones are there. */
async function loadFonts(): Promise<void> {
  const fonts = FONTS.map((font) => document.fonts?.load(font))
  const late = new Promise((done) => setTimeout(done, FONTS_MS))
  await Promise.race([Promise.allSettled(fonts), late])
}

/** Anything longer is hardly a formula and would block the page. */
const SOURCE_LIMIT = 3000
const FRAME_MS = 8

/** An element with its text and styles; a long formula has thousands. */
const ELEMENT_BYTES = 300

/** Rendered formulas by source, about 500 ordinary ones; null for one that KaTeX rejects. */
const rendered = createTextCache<HTMLElement | null>({
  maxBytes: 15_000_000,
  weigh: (element) => ELEMENT_BYTES * (element?.getElementsByTagName('*').length ?? 1),
})
const waiting: (() => void)[] = []
let spent = 0

const keyOf = (source: string, isDisplay: boolean) => `${isDisplay ? '$$' : '$'}${source}`

/** A rendered formula to clone; null for an invalid one, undefined for one that was not rendered yet. */
export function cachedFormula(source: string, isDisplay: boolean): HTMLElement | null | undefined {
  return source.length > SOURCE_LIMIT ? null : rendered.get(keyOf(source, isDisplay))
}

/** Renders at once while the current frame has time left, otherwise in one of the next frames. */
export function renderSoon(render: RenderFormula, source: string, isDisplay: boolean, done: () => void): void {
  if (CHEMISTRY.test(source) && !chemistryEngine.get()) {
    const again = () => renderSoon(render, source, isDisplay, done)
    // Without a connection the source stays; the next formula tries again.
    chemistryEngine.load().then(again, () => undefined)
    return
  }
  const work = () => {
    const start = performance.now()
    const element = document.createElement('span')
    rendered.set(keyOf(source, isDisplay), render(source, isDisplay, element) ? element : null)
    spent += performance.now() - start
    done()
  }
  if (spent === 0 && waiting.length === 0) requestAnimationFrame(nextFrame)
  if (spent < FRAME_MS && waiting.length === 0) work()
  else waiting.push(work)
}

function nextFrame() {
  spent = 0
  while (spent < FRAME_MS && waiting.length > 0) waiting.shift()?.()
  if (waiting.length > 0) requestAnimationFrame(nextFrame)
  else spent = 0
}
