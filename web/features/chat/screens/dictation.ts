import { lazy } from '#web/lib/lazy.tsx'

/** What the composer of a chat loads with the first click on the microphone. */
export const dictation = lazy(
  async () => (await import('#web/features/transcriptions/dictation/dictation-panel.tsx')).DictationPanel,
)
