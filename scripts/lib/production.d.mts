export function copyProduction(root: string, to: string): Promise<void>
