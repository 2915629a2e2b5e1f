/** What is heavy and seldom needed; loaded when it is asked for, and ahead of that when one points at it. */

export const loadMoreMenu = async () => (await import('./more-menu.tsx')).MoreMenu
export const loadModelMenu = async () => (await import('./model-menu.tsx')).ModelMenu
export const loadCost = async () => (await import('./cost-breakdown.tsx')).CostBreakdown

export function preload(load: () => Promise<unknown>): void {
  load().catch(() => undefined)
}
