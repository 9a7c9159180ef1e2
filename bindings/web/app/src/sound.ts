// Sounds of discs, made in the browser.

import { settings } from "./settings.js";

let context: AudioContext | undefined;

/** Plays the sound of a disc that is put down, and of `turned` discs that turn after it, if sounds are on. */
export function playSound(turned: number): void {
  if (!settings.sounds) return;
  context ??= new AudioContext();
  // A browser lets it begin only after a click or a key.
  void context.resume();
  click(context, 0, 190);
  for (let disc = 0; disc < Math.min(turned, 6); disc++) click(context, 0.09 + 0.055 * disc, 320);
}

/** Plays a short decaying tone. */
function click(context: AudioContext, delay: number, hertz: number): void {
  const begin = context.currentTime + delay;
  const [tone, volume] = [context.createOscillator(), context.createGain()];
  tone.frequency.value = hertz;
  volume.gain.setValueAtTime(0.16, begin);
  volume.gain.exponentialRampToValueAtTime(0.001, begin + 0.07);
  tone.connect(volume).connect(context.destination);
  tone.start(begin);
  tone.stop(begin + 0.08);
}
