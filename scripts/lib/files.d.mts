export function filesIn(folder: string): string[]
