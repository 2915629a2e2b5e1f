import { fillPath } from '#contract/endpoint.ts'
import { FILE_CONTENT } from '#contract/files.ts'

/** Where the bytes of a file are. */
export const fileAddress = (id: string) => fillPath(FILE_CONTENT, { id })
