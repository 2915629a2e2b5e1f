import { answers } from './answers/feature.ts'
import { apiKeys } from './api-keys/feature.ts'
import { assistants } from './assistants/feature.ts'
import { audit } from './audit/feature.ts'
import { billing } from './billing/feature.ts'
import { builds } from './builds/feature.ts'
import { disputes } from './disputes/feature.ts'
import type { Feature } from './feature.ts'
import { files } from './files/feature.ts'
import { health } from './health/feature.ts'
import { help } from './help/feature.ts'
import { images } from './images/feature.ts'
import { imports } from './imports/feature.ts'
import { knowledge } from './knowledge/feature.ts'
import { legal } from './legal/feature.ts'
import { limits } from './limits/feature.ts'
import { minutes } from './minutes/feature.ts'
import { models } from './models/feature.ts'
import { openai } from './openai/feature.ts'
import { page } from './page/feature.ts'
import { payments } from './payments/feature.ts'
import { pendingQuestion } from './pending-question/feature.ts'
import { projects } from './projects/feature.ts'
import { promocodes } from './promocodes/feature.ts'
import { prompts } from './prompts/feature.ts'
import { ratings } from './ratings/feature.ts'
import { scans } from './scans/feature.ts'
import { sharing } from './sharing/feature.ts'
import { statistics } from './statistics/feature.ts'
import { status } from './status/feature.ts'
import { storage } from './storage/feature.ts'
import { summaries } from './summaries/feature.ts'
import { threads } from './threads/feature.ts'
import { transactions } from './transactions/feature.ts'
import { transcriptions } from './transcriptions/feature.ts'
import { translate } from './translate/feature.ts'
import { users } from './users/feature.ts'
import { webSearch } from './web-search/feature.ts'

/**
 * The only list of features, in the order of opening. Hooks and recovery follow it: answers and images settle their own
 * holds before billing releases abandoned ones; a deleted account stops its answers before its traces are stored.
 */
export const features: Feature[] = [
  ...[health, users, legal, audit, help, webSearch, knowledge, models, files],
  ...[threads, answers, images, summaries, billing, payments, storage],
  ...[
    apiKeys,
    openai,
    assistants,
    projects,
    imports,
    scans,
    transcriptions,
    minutes,
    prompts,
    promocodes,
    transactions,
    disputes,
    ratings,
    sharing,
    translate,
  ],
  ...[statistics, status, limits, builds, pendingQuestion, page],
]

export const storedKinds = features.flatMap(({ stored = [] }) => stored)
