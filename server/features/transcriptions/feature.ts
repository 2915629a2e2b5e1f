import { findFfmpeg } from '#server/audio/ffmpeg.ts'
import { createRun } from '#server/lib/run-program.ts'
import type { Core, Feature } from '../feature.ts'
import { recordings } from './chunks.ts'
import type { TranscriptionDeps } from './deps.ts'
import { openTranscriptions, type Transcriptions } from './queue.ts'
import { transcriptionRoutes } from './routes.ts'
import { transcriptionJobs } from './transcriptions.ts'

export const transcriptions = {
  name: 'transcriptions',
  isOptional: true,
  stored: [recordings],
  open: async (core: Core, given?: Partial<TranscriptionDeps>) => {
    const { limits: _, ...rest } = core
    const ffmpeg = given?.ffmpeg === undefined ? await findFfmpeg(createRun(core.settings.programPath)) : given.ffmpeg
    if (!ffmpeg) core.health.lacks('ffmpeg')
    const opened = openTranscriptions({ ...rest, ...core.files, ...given, ffmpeg })
    return {
      handle: opened,
      routes: (app) => transcriptionRoutes(app, { ...opened, limits: core.limits }),
      jobs: transcriptionJobs({ ...opened, db: core.db }),
      sweeps: [opened.transcriptionQueue.sweep],
      close: opened.close,
    }
  },
} satisfies Feature<Transcriptions>
