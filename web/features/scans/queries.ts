import { formatNumber, plural } from '#web/lib/format.ts'
import { lazyComponent } from '#web/lib/lazy-component.ts'

/** What other features show of a scan. */

/** The offer, the progress and the result of reading a scan; other features show it under the name of a file. */
export const ScanPanel = lazyComponent(async () => (await import('./scan-panel.tsx')).ScanPanel)
/** The picture of a page beside its text. */
export const PagePicture = lazyComponent(async () => (await import('./page-picture.tsx')).PagePicture)

/** «12 страниц». */
export const pagesLabel = (pages: number) =>
  `${formatNumber(pages)} ${plural(pages, 'страница', 'страницы', 'страниц')}`
