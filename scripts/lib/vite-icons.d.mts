import type { Plugin } from 'vite'

export function icons(): Plugin

/** The body of an icon as the data of a single path. */
export function onePath(body: string): string
