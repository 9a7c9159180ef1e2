//! Optimiser steps on several threads, one step for each mini-batch.
//!
//! A step has two phases, each followed by a barrier. First, the threads compute gradients of shards of the batch;
//! the split into shards does not depend on the number of threads. Then each thread updates its own rows in the order
//! of the positions. The first thread also updates the head with the sum of the shards' gradients, in shard order.
//! So no result depends on the assignment of work to threads.

use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use std::sync::{Condvar, Mutex, PoisonError, RwLock};

use outflank_kernels::geometry::corner::COUNT;
use outflank_kernels::network::{CORNERS, WIDTH};
use pulp::{Arch, NullaryFnOnce};

use super::data::Sample;
use super::head::{Gradient, Head};
use super::pass::{Forward, Slot, slope};
use super::rows::{Rounded, RowShare};
use crate::fit::{Loss, LossSums};

/// Positions in a batch.
pub(super) const BATCH: usize = 256;

/// Positions in a shard.
const SHARD: usize = 16;

/// Shard of a batch, with the gradients of its positions.
struct Shard {
    slots: [Slot; SHARD],
    /// Number of positions, and of valid slots.
    positions: usize,
    gradient: Gradient,
    /// Error sums over all positions of this shard so far.
    sums: LossSums,
}

/// Optimiser steps on a sequence of batches.
pub(super) struct Steps<'a> {
    pub(super) samples: &'a [Sample],
    /// Order of the samples. The last batch may be smaller.
    pub(super) order: &'a [u32],
    pub(super) loss: Loss,
    /// Learning rates of rows and head by index of the batch.
    pub(super) rates: &'a (dyn Fn(usize) -> [f32; 2] + Sync),
    pub(super) rounded: &'a Rounded,
}

impl Steps<'_> {
    /// Performs the steps with one thread per share of the rows. Returns the sums of the errors before the updates.
    pub(super) fn take(&self, shares: Vec<RowShare>, head: &mut Head) -> LossSums {
        let shard = || Shard {
            slots: [Slot::NONE; SHARD],
            positions: 0,
            gradient: Gradient::new(),
            sums: LossSums::default(),
        };
        let shards: Vec<_> = (0..BATCH / SHARD).map(|_| RwLock::new(shard())).collect();
        let barrier = Barrier::new(shares.len());
        let shared = RwLock::new(head);
        std::thread::scope(|scope| {
            for (thread, share) in shares.into_iter().enumerate().rev() {
                let (shards, barrier, head) = (&shards, &barrier, &shared);
                let work = move || self.work(thread, share, shards, barrier, head);
                if thread == 0 {
                    work();
                } else {
                    scope.spawn(work);
                }
            }
        });
        let sums = shards.into_iter().map(|shard| {
            let shard = shard.into_inner();
            shard.unwrap_or_else(PoisonError::into_inner).sums
        });
        sums.sum()
    }

    fn work(
        &self,
        thread: usize,
        mut share: RowShare,
        shards: &[RwLock<Shard>],
        barrier: &Barrier,
        head: &RwLock<&mut Head>,
    ) {
        let _guard = PanicGuard(barrier);
        let arch = Arch::new();
        let mut total = Gradient::new();
        for (batch, order) in self.order.chunks(BATCH).enumerate() {
            {
                let head = head.read().unwrap_or_else(PoisonError::into_inner);
                let shards_of_thread = shards.iter().enumerate().skip(thread);
                for (number, shard) in shards_of_thread.step_by(barrier.threads) {
                    let begin = (number * SHARD).min(order.len());
                    let end = (begin + SHARD).min(order.len());
                    let mut shard = shard.write().unwrap_or_else(PoisonError::into_inner);
                    arch.dispatch(Inlined(
                        #[inline(always)]
                        || self.compute_gradients(&order[begin..end], &head, &mut shard),
                    ));
                }
            }
            barrier.wait();
            let [row_rate, head_rate] = (self.rates)(batch);
            if thread == 0 {
                total.clear();
                let mut head = head.write().unwrap_or_else(PoisonError::into_inner);
                for shard in shards {
                    let shard = shard.read().unwrap_or_else(PoisonError::into_inner);
                    total.add(&shard.gradient);
                }
                arch.dispatch(Inlined(
                    #[inline(always)]
                    || head.step(&total, order.len(), head_rate),
                ));
            }
            for shard in shards {
                let shard = shard.read().unwrap_or_else(PoisonError::into_inner);
                arch.dispatch(Inlined(
                    #[inline(always)]
                    || self.step_rows(&shard, &mut share, row_rate),
                ));
            }
            barrier.wait();
        }
    }

    #[inline(always)]
    fn compute_gradients(&self, order: &[u32], head: &Head, shard: &mut Shard) {
        shard.positions = order.len();
        shard.gradient.clear();
        // Loading all samples first overlaps their cache misses.
        let mut samples = [None; SHARD];
        for (sample, &index) in samples.iter_mut().zip(order) {
            *sample = Some(self.samples[index as usize]);
        }
        for (sample, slot) in samples.iter().flatten().zip(&mut shard.slots) {
            slot.rows = sample.rows();
            let forward = Forward::new(&slot.rows, sample.stage(), self.rounded, head);
            let error = forward.discs() - sample.target;
            let sums = LossSums::of(error, sample.weight, self.loss);
            shard.sums = shard.sums.add(sums);
            let slope = slope(error, sample, self.loss);
            forward.backward(slope, sample.stage(), head, &mut shard.gradient, slot);
        }
    }

    /// Updates the rows of a share with the gradients of a shard.
    #[inline(always)]
    fn step_rows(&self, shard: &Shard, share: &mut RowShare, rate: f32) {
        for slot in &shard.slots[..shard.positions] {
            let (features, sides) = slot.rows.split_at(COUNT);
            for (feature, &row) in features.iter().enumerate() {
                let corner = feature % CORNERS;
                if slot.has_gradient[corner] {
                    share.step(row, &slot.corners[corner], rate, self.rounded);
                }
            }
            let mut corner_sum = [0.0; WIDTH];
            for corner in &slot.corners {
                for k in 0..WIDTH {
                    corner_sum[k] += corner[k];
                }
            }
            for &row in sides {
                share.step(row, &corner_sum, rate, self.rounded);
            }
        }
    }
}

/// Closure for pulp's dispatch that is inlined into the code for the CPU's instruction set.
///
/// Pulp calls a plain closure by a function that need not be inlined, and is then compiled for the baseline CPU.
struct Inlined<F>(F);

impl<F: FnMut()> NullaryFnOnce for Inlined<F> {
    type Output = ();

    #[inline(always)]
    fn call(mut self) {
        (self.0)();
    }
}

/// Spinning barrier. Waking a thread takes a good part of a phase, so threads spin before they sleep.
///
/// Yielding instead would cost whole time slices on a busy machine.
struct Barrier {
    threads: usize,
    arrived: AtomicUsize,
    /// Completed rounds, or [`Barrier::BROKEN`] after a panic.
    rounds: AtomicUsize,
    asleep: Mutex<()>,
    turn: Condvar,
}

impl Barrier {
    const BROKEN: usize = usize::MAX;
    /// Spins before sleeping, about 20 microseconds.
    const SPINS: usize = 400;

    fn new(threads: usize) -> Barrier {
        Barrier {
            threads,
            arrived: AtomicUsize::new(0),
            rounds: AtomicUsize::new(0),
            asleep: Mutex::new(()),
            turn: Condvar::new(),
        }
    }

    fn wait(&self) {
        let round = self.rounds.load(Acquire);
        if self.arrived.fetch_add(1, AcqRel) + 1 == self.threads {
            self.arrived.store(0, Relaxed);
            if round != Barrier::BROKEN {
                self.set(round + 1);
            }
        } else {
            let waits = || self.rounds.load(Acquire) == round;
            let mut spins = Barrier::SPINS;
            while spins > 0 && waits() {
                spins -= 1;
                std::hint::spin_loop();
            }
            if waits() {
                let mut asleep = self.asleep.lock().unwrap_or_else(PoisonError::into_inner);
                while waits() {
                    let turn = self.turn.wait(asleep);
                    asleep = turn.unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
        let broken = self.rounds.load(Acquire) == Barrier::BROKEN;
        assert!(!broken, "another thread of the training panicked");
    }

    fn set(&self, round: usize) {
        // While the lock is held, no thread is between its last check and its sleep. So none misses the notification.
        let asleep = self.asleep.lock().unwrap_or_else(PoisonError::into_inner);
        self.rounds.store(round, Release);
        drop(asleep);
        if self.threads > 1 {
            self.turn.notify_all();
        }
    }
}

/// Breaks the barrier when its thread panics, so that the other threads end, too.
struct PanicGuard<'a>(&'a Barrier);

impl Drop for PanicGuard<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.set(Barrier::BROKEN);
        }
    }
}
