/** Which rows are ticked; with Shift everything between the last one and this one goes the same way. */
export interface Selection {
  ids: ReadonlySet<string>
  lastId: string | null
}

export const nothingSelected: Selection = { ids: new Set(), lastId: null }

export function toggleRow({ ids, lastId }: Selection, id: string, listIds: string[], withShift: boolean): Selection {
  const isOn = !ids.has(id)
  const next = new Set(ids)
  for (const each of withShift && lastId !== null ? between(listIds, lastId, id) : [id]) {
    if (isOn) next.add(each)
    else next.delete(each)
  }
  return { ids: next, lastId: id }
}

export function toggleAll({ ids }: Selection, listIds: string[]): Selection {
  const isWhole = listIds.every((id) => ids.has(id))
  return isWhole ? nothingSelected : { ids: new Set(listIds), lastId: null }
}

function between(listIds: string[], one: string, other: string): string[] {
  const places = [listIds.indexOf(one), listIds.indexOf(other)]
  // The one before may have left the list meanwhile.
  return places.includes(-1) ? [other] : listIds.slice(Math.min(...places), Math.max(...places) + 1)
}
