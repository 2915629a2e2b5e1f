import type { RenderPage } from '#server/files/page-picture.ts'
import type { Providers } from '#server/llm/providers.ts'
import type { FileReadingDeps } from '../files/reading.ts'

export interface ScanDeps extends FileReadingDeps {
  providers: Providers
  /** Null when pdftoppm is not installed. */
  render: RenderPage | null
  limits: ReadingLimits
}

export interface ReadingLimits {
  /** A page that takes longer fails, free of charge. */
  pageMs: number
  /** The pauses before a busy model is asked again. */
  pausesMs: number[]
}

export const usualLimits: ReadingLimits = { pageMs: 180_000, pausesMs: [5000, 20_000, 60_000] }
