// Tabs, by the authoring practices of ARIA.

import { find } from "./dom.js";

const tabs = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>("[role=tab]")];

/** Opens the tab of this name. */
export function openTab(name: string): void {
  find(`#tab-${name}`).click();
}

/** Calls `onOpen` with the name of every tab that is opened. */
export function setUpTabs(onOpen: (name: string) => void): void {
  const open = (chosen: HTMLElement) => {
    for (const tab of tabs()) {
      const isChosen = tab === chosen;
      tab.ariaSelected = String(isChosen);
      tab.tabIndex = isChosen ? 0 : -1;
      find(`#${tab.getAttribute("aria-controls")}`).hidden = !isChosen;
    }
    onOpen(chosen.id.slice("tab-".length));
  };
  tabs().forEach((tab, index, all) => {
    tab.onclick = () => open(tab);
    tab.onkeydown = (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step === undefined) return;
      const next = all[(index + step + all.length) % all.length]!;
      next.focus();
      open(next);
    };
  });
}
