export const SERVER_FLAGS: string[]
export function serverFlags(place: { limit: number; isEmbedded: boolean }): string[]
export function memoryLimit(machine: number, allowed: number | undefined): number
